#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The report in a browser: what a mouse over the matrix shows, sorting, the filter, the nest's buttons, and that nothing is wider than a phone.
# Needs chromium, which most machines do not have; says so where it is missing.
set -u
. "$(dirname "$0")/../frame.sh"
browser=$(command -v chromium || command -v chromium-browser) || { echo "note: chromium is not installed, the report was not opened"; finish; exit; }

# Rank r of four sends (r + 1) * 100 doubles to the next one, from a line of its own, and all reduce.
{
    echo 'ranks 4'
    for r in 0 1 2 3; do
        echo "$r MPI_Irecv $(((r + 3) % 4 * 100 + 100)) d1 $(((r + 3) % 4)) 0 world @ ring.c:5"
        echo "$r MPI_Send $((r * 100 + 100)) d1 $(((r + 1) % 4)) 0 world @ ring.c:1$r"
        echo "$r MPI_Wait 1 @ ring.c:6"
        echo "$r MPI_Allreduce 1 d1 MPI_SUM world @ ring.c:30"
    done
} | must "$build/tests/unit/trace_make" T
must "$COMMSLICE" report -o page.html T

# What a user does, one answer a line: the script is added to a copy of the page, and writes into an element of its own.
cat >script <<'X'
<pre id="answers"></pre><script>
(function () {
  var out = [];
  function say(what, value) { out.push(what + ': ' + value); }
  function at(target, type, x, y) { target.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: x, clientY: y })); }
  var svg = document.querySelector('svg.mx'), tip = document.getElementById('tip');
  svg.scrollIntoView();
  var box = svg.querySelector('.area').getBoundingClientRect(), size = box.width / 4;
  function over(row, col) {
    at(svg, 'mousemove', box.left + (col + 0.5) * size, box.top + (row + 0.5) * size);
    return tip.style.visibility + ' ' + tip.textContent;
  }
  say('cell 1 2', over(1, 2));
  say('cell 3 0', over(3, 0));
  say('cell 2 1', over(2, 1));
  at(svg, 'mouseleave', 0, 0);
  say('left', tip.style.visibility);
  document.documentElement.style.zoom = 2;
  box = svg.querySelector('.area').getBoundingClientRect(); size = box.width / 4;
  say('zoomed', over(1, 2).replace(/^\w+ /, ''));
  document.documentElement.style.zoom = 1;
  var sites = document.getElementById('sites'), table = sites.querySelector('table');
  function column(i) { return Array.prototype.map.call(table.tBodies[0].rows, function (r) { return r.style.display === 'none' ? '' : r.cells[i].textContent; }).join(' ').trim().replace(/ +/g, ' '); }
  var calls = Array.prototype.filter.call(table.tHead.rows[0].cells, function (c) { return /^Calls/.test(c.textContent); })[0];
  calls.click();
  say('most calls first', column(calls.cellIndex));
  calls.click();
  say('fewest calls first', column(calls.cellIndex));
  var filter = sites.querySelector('input[data-filter]');
  filter.value = 'allreduce RING.c';
  filter.dispatchEvent(new Event('input'));
  say('filtered', column(0));
  filter.value = '';
  filter.dispatchEvent(new Event('input'));
  Array.prototype.forEach.call(table.tBodies[0].rows, function (r) { r.cells[1].textContent = 'std::map<std::string, lattice::halo<double, 3> >::exchange_all_of_the_borders(MPI_Comm, int)'; });
  var row = table.tBodies[0].rows[0];
  say('figures', row.cells[calls.cellIndex].getBoundingClientRect().right <= document.documentElement.clientWidth ? 'in sight' : 'hidden');
  say('list of ranks', row.cells[row.cells.length - 1].getBoundingClientRect().width >= 150 ? 'has room' : 'squeezed');
  say('too wide', document.documentElement.scrollWidth - document.documentElement.clientWidth);
  document.getElementById('answers').textContent = out.join('\n');
})();
</script>
X
sed -e '/<\/body>/{' -e 'r script' -e 'N' -e '}' page.html >asked.html
grep -q 'id="answers"' asked.html || cat script >>asked.html
# WIDTH
ask() {
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$PWD/profile" --window-size="$1",900 --dump-dom "file://$PWD/asked.html" 2>log |
        sed -n '/<pre id="answers">/,/<\/pre>/p' | sed 's/<[^>]*>//g; s/&gt;/>/g' >answers
    [ -s answers ] || { tail -n 5 log; return 1; }
}
answered() { grep -qx "$1" answers || { cat answers; return 1; }; }
for width in 1400 500; do
    case_ "$width pixels: the page runs" ask $width
    case_ "$width pixels: a cell says who sends what" answered 'cell 1 2: visible 1 → 2: 1 message, 1.60 KB'
    case_ "$width pixels: around the ring" answered 'cell 3 0: visible 3 → 0: 1 message, 3.20 KB'
    case_ "$width pixels: an empty cell" answered 'cell 2 1: visible 2 → 1: nothing'
    case_ "$width pixels: beside the matrix" answered 'left: hidden'
    case_ "$width pixels: the same cell on a page twice as large" answered 'zoomed: 1 → 2: 1 message, 1.60 KB'
    case_ "$width pixels: sorted downwards" answered 'most calls first: 4 4 4 1 1 1 1'
    case_ "$width pixels: and upwards" answered 'fewest calls first: 1 1 1 1 4 4 4'
    case_ "$width pixels: the filter" answered 'filtered: ring.c:30'
    case_ "$width pixels: long names do not hide figures" answered 'figures: in sight'
    case_ "$width pixels: nor squeeze the list of ranks" answered 'list of ranks: has room'
    case_ "$width pixels: nothing is wider than the page" answered 'too wide: 0'
done
finish
