(function () {
  'use strict';
  var root = document.documentElement;
  root.classList.add('js');
  function all(what, where) { return Array.prototype.slice.call((where || document).querySelectorAll(what)); }

  /* A tip for whatever has data-tip, and for the cells of the matrix. */
  var tip = document.createElement('div');
  tip.id = 'tip';
  document.body.appendChild(tip);
  function show(e, text) {
    tip.textContent = text;
    tip.style.visibility = text ? 'visible' : 'hidden';
    var x = e.clientX + 14, y = e.clientY + 16;
    if (x + tip.offsetWidth > innerWidth - 8) x = e.clientX - tip.offsetWidth - 12;
    if (y + tip.offsetHeight > innerHeight - 8) y = e.clientY - tip.offsetHeight - 12;
    tip.style.left = x + 'px';
    tip.style.top = y + 'px';
  }
  document.addEventListener('mousemove', function (e) {
    var t = e.target.closest ? e.target.closest('[data-tip]') : null;
    if (t) show(e, t.getAttribute('data-tip'));
    else if (!(e.target.closest && e.target.closest('svg.mx'))) show(e, '');
  });

  /* The matrix: which cell is the mouse in, and what is there. */
  var data = document.getElementById('matrix-data');
  if (data) {
    var m = JSON.parse(data.textContent), cell = {};
    m.c.forEach(function (c) { cell[c[0] * m.cells + c[1]] = c; });
    var ranks = function (i) {
      var from = i * m.per, to = Math.min(from + m.per, m.ranks) - 1;
      return to > from ? from + '\u2013' + to : '' + from;
    };
    var bytes = function (v) {
      var u = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'], k = 0;
      while (v >= 1000 && k < 5) { v /= 1000; k++; }
      return (k && v < 100 ? v.toPrecision(3) : Math.round(v)) + ' ' + u[k];
    };
    all('svg.mx').forEach(function (svg) {
      var area = svg.querySelector('.area'), cross = svg.querySelector('.cross');
      svg.addEventListener('mousemove', function (e) {
        var box = area.getBoundingClientRect(), size = box.width / m.cells;
        var col = Math.floor((e.clientX - box.left) / size), row = Math.floor((e.clientY - box.top) / size);
        if (row < 0 || col < 0 || row >= m.cells || col >= m.cells) { cross.style.visibility = 'hidden'; show(e, ''); return; }
        var c = cell[row * m.cells + col];
        cross.setAttribute('transform', 'translate(' + col + ' ' + row + ')');
        cross.style.visibility = 'visible';
        show(e, ranks(row) + ' \u2192 ' + ranks(col) + ': ' + (c ? c[2].toLocaleString('en') + (c[2] === 1 ? ' message, ' : ' messages, ') + bytes(c[3]) : 'nothing'));
      });
      svg.addEventListener('mouseleave', function (e) { cross.style.visibility = 'hidden'; show(e, ''); });
    });
  }

  /* Tables sort by the heading that is clicked; cells say what they sort as. */
  function value(tr, i) {
    var td = tr.cells[i], v = td.getAttribute('data-v');
    return v === null ? td.textContent : +v;
  }
  all('th[data-s]').forEach(function (th) {
    th.tabIndex = 0;
    function sort() {
      var body = th.closest('table').tBodies[0], i = th.cellIndex, up = th.classList.contains('down');
      all('th', th.parentNode).forEach(function (o) { o.classList.remove('up', 'down'); o.removeAttribute('aria-sort'); });
      th.classList.add(up ? 'up' : 'down');
      th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      all('tr', body).sort(function (a, b) {
        var x = value(a, i), y = value(b, i), d = typeof x === 'number' ? x - y : x.localeCompare(y, 'en', { numeric: true });
        return up ? d : -d;
      }).forEach(function (tr) { body.appendChild(tr); });
    }
    th.addEventListener('click', sort);
    th.addEventListener('keydown', function (e) { if (e.key === 'Enter') sort(); });
  });
  all('input[data-filter]').forEach(function (input) {
    var rows = all('tbody tr', document.getElementById(input.getAttribute('data-filter')));
    input.addEventListener('input', function () {
      var words = input.value.toLowerCase().split(/\s+/);
      rows.forEach(function (tr) {
        var text = tr.textContent.toLowerCase();
        tr.style.display = words.every(function (w) { return text.indexOf(w) >= 0; }) ? '' : 'none';
      });
    });
  });
  all('button[data-open]').forEach(function (b) {
    b.addEventListener('click', function () {
      all('details', document.getElementById('nest')).forEach(function (d) { d.open = b.getAttribute('data-open') === '1'; });
    });
  });
})();
