#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Checks one report of a trace: the page is well-formed and refers to nothing outside itself, and its figures, those of the JSON and of the CSV files
# are those that other verbs give for the trace. usage: report_check.py COMMSLICE TRACE SHOWN FOLDER, where SHOWN is what is reported (the trace itself, or
# what merge or fold made of it) and FOLDER is new. Prints what is wrong; exit code 1 then.
import collections
import csv
import html.parser
import json
import os
import re
import subprocess
import sys

commslice, trace, shown, folder = sys.argv[1:]
VOID = {'meta', 'br', 'hr', 'img', 'input', 'link'}
bad = []


def check(what, got, want):
    if got != want:
        bad.append(f'{what}: {str(got)[:200]} in the report, {str(want)[:200]} wanted')


def out(*words):
    return subprocess.run([commslice, *words], check=True, stdout=subprocess.PIPE).stdout.decode()


class Page(html.parser.HTMLParser):
    """Tags must close in order; ids are there once; links stay on the page."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.data, self.tables = [], [], [], collections.defaultdict(str), {}
        self.row = None

    def start(self, tag, attrs, closed):
        a = dict(attrs)
        if len(a) != len(attrs):
            bad.append(f'line {self.getpos()[0]}: <{tag}> has an attribute twice')
        if 'id' in a:
            self.ids.append(a['id'])
        for name in ('href', 'src', 'xlink:href', 'action', 'data', 'srcset', 'poster'):
            if name in a:
                self.links.append(a[name])
        if not closed and tag not in VOID:
            self.open.append((tag, a.get('id')))
        if tag == 'tr':
            self.row = []
        if tag in ('td', 'th') and self.row is not None:
            self.row.append('')
        if 'data-v' in a and self.row:
            self.row[-1] = None
            self.row.append(a['data-v'])

    def handle_starttag(self, tag, attrs):
        self.start(tag, attrs, False)

    def handle_startendtag(self, tag, attrs):
        self.start(tag, attrs, True)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            bad.append(f'line {self.getpos()[0]}: </{tag}> closes {self.open[-1:]}')
        else:
            self.open.pop()
        if tag == 'tr' and self.row is not None:
            table = next((i for t, i in reversed(self.open) if t == 'table'), None)
            self.tables.setdefault(table, []).append([c for c in self.row if c is not None])
            self.row = None

    def handle_data(self, text):
        if self.open:
            self.data[self.open[-1]] += text
        if self.row:
            self.row[-1] += text if self.row[-1] is not None and not re.fullmatch(r'[\d.]+', self.row[-1] or 'x') else ''


def read_page(name):
    text = open(name, encoding='utf-8').read()        # must be UTF-8
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        bad.append(f'not closed: {page.open}')
    twice = [i for i, n in collections.Counter(page.ids).items() if n > 1]
    check('ids that are there twice', twice, [])
    check('links away from the page', [x for x in page.links if not (x.startswith('#') and x[1:] in page.ids)], [])
    rest = re.sub(r'<script type="application/json".*?</script>', '', text, flags=re.S)
    check('addresses', re.findall(r'(?:https?:)?//[a-z0-9]+\.[a-z]{2,}[^"\s]*|url\([^)]*\)|@import|<base|<iframe|<object|<embed', rest), [])
    if "default-src 'none'" not in text:
        bad.append('no content policy')
    if re.search(r'[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]', text):
        bad.append('control characters')
    return text, page


def rows(name):
    with open(os.path.join(folder, name), newline='', encoding='utf-8', errors='replace') as f:
        return list(csv.DictReader(f))


def total(table, key):
    return sum(int(r[key]) for r in table)


page_name = os.path.join(folder, 'page.html')
os.mkdir(folder)
report = json.loads(out('report', '-o', page_name, '--pictures', folder, '--json', shown))
text, page = read_page(page_name)

# ---- what other verbs say
matrix_csv = out('matrix', '--csv', trace)
matrix = json.loads(out('matrix', '--json', trace))
messages, size = sum(p['messages'] for p in matrix['pairs']), sum(p['bytes'] for p in matrix['pairs'])
handed = sum(c['bytes'] for c in matrix['collectives'])
calls, per_rank, sites = 0, collections.Counter(), collections.Counter()
for line in out('print', '--json', trace).splitlines():
    e = json.loads(line)
    calls += 1
    per_rank[e['rank']] += 1
    sites[e['file'], e['line'], e['func'] if e['line'] < 0 else '', e['call'], e['mark']] += 1

info = json.loads(out('info', '--json', trace))
check('events of info', info['events'], calls)
by_site = collections.defaultdict(lambda: (0, 0))
for s in report['sites']:
    by_site[s['call']] = (by_site[s['call']][0] + s['calls'], by_site[s['call']][1] + s['bytes'] + s['handed_in'])
check('calls and bytes by call, of info', dict(by_site), {c['call']: (c['calls'], c['bytes']) for c in info['calls']})

# ---- JSON
for key, want in (('nranks', matrix['ranks']), ('calls', calls), ('messages', messages), ('bytes', size), ('handed_in', handed), ('pairs', len(matrix['pairs'])),
                  ('unknown_destinations', matrix['unknown_destinations'])):
    check('JSON ' + key, report[key], want)
for what in ('sites', 'ranks'):
    for key in ('calls', 'messages', 'bytes', 'handed_in'):
        check(f'JSON {what} {key}', sum(s[key] for s in report[what]), report[key])
check('JSON sites', {(s['file'], s['line'], s['func'] if s['line'] < 0 else '', s['call'], s['mark']): s['calls'] for s in report['sites']}, dict(sites))
check('JSON calls of ranks', {r['rank']: r['calls'] for r in report['ranks']}, {r: per_rank[r] for r in range(matrix['ranks'])})
for way, key in (('source', ''), ('dest', '_in')):
    for what in ('messages', 'bytes'):
        want = collections.Counter()
        for p in matrix['pairs']:
            want[p[way]] += p[what]
        check(f'JSON ranks {what}{key}', {r['rank']: r[what + key] for r in report['ranks'] if r[what + key]}, {k: v for k, v in want.items() if v})
for key in ('messages', 'bytes', 'handed_in'):
    check('JSON sizes ' + key, sum(s[key] for s in report['sizes']), report[key])
kinds = ('point_to_point', 'wait', 'collective', 'other')
got = sum(p[k] for p in report['phases'] for k in kinds)
if abs(got - calls) > 0.5 * len(report['phases']) * len(kinds) or (report['phases_over'] == 'calls' and abs(got - calls) > 0.05 * calls + len(report['phases']) * 2):
    bad.append(f'phases have {got} calls, not {calls}')

# ---- CSV
check('matrix.csv', open(os.path.join(folder, 'matrix.csv')).read(), matrix_csv)
check('collectives.csv', {r['call']: (int(r['calls']), int(r['handed_in'])) for r in rows('collectives.csv')}, {c['call']: (c['calls'], c['bytes']) for c in matrix['collectives']})
nest = [r for r in rows('nest.csv') if r['depth'] == '0']
for key, want in (('calls', calls), ('messages', messages), ('bytes', size), ('handed_in', handed)):
    check('sites.csv ' + key, total(rows('sites.csv'), key), want)
    check('ranks.csv ' + key, total(rows('ranks.csv'), key), want)
    check('nest.csv ' + key, total(nest, key), want)
check('sizes.csv', total(rows('sizes.csv'), 'bytes'), size)
phases = rows('phases.csv')
got = sum(float(r[k]) for r in phases for k in kinds)
if abs(got - calls) > 0.05 * len(phases) * len(kinds):
    bad.append(f'phases.csv has {got} calls, not {calls}')

# ---- page
tiles = re.findall(r'<div class="tile"><b>([^<]*)</b><span>([^<]*)</span>', text)
check('tile MPI calls', [v for v, k in tiles if k == 'MPI calls'], [f'{calls:,}'])
check('tile messages', [v for v, k in tiles if k == 'point-to-point messages'], [f'{messages:,}'])
check('rows of the table of sites', len(page.tables['site-table']) - 1, len(report['sites']))
size_of = re.findall(r'<tr><td class="code">(\w+)</td><td class="n" data-v="\d+">[^<]*</td><td class="n" data-v="(\d+)">[^<]*</td><td class="n" data-v="(\d+)"',
                     ''.join(re.findall(r'<table id="collectives">.*?</table>', text, re.S)))
by_call = collections.defaultdict(lambda: (0, 0))
for name, n, b in size_of:
    by_call[name] = (by_call[name][0] + int(n), by_call[name][1] + int(b))
check('table of collectives', dict(by_call), {c['call']: (c['calls'], c['bytes']) for c in matrix['collectives']})
parts = re.search(r'<table id="part-table">.*?</table>', text, re.S)
if calls:
    rows_of = re.findall(r'<tr><td data-v="([\d.]+)">.*?</td><td>.*?</td><td class="n" data-v="(\d+)">', parts.group(0))
    check('calls of the parts of the program', sum(int(n) for _, n in rows_of), calls)
    check('parts in order', [float(x) for x, _ in rows_of], sorted(float(x) for x, _ in rows_of))
if messages:
    data = json.loads(page.data['script', 'matrix-data'])
    check('messages of the picture', sum(c[2] for c in data['c']), messages)
    check('bytes of the picture', sum(c[3] for c in data['c']), size)
    if data['cells'] > 128:
        bad.append('more cells than wanted')
for name in os.listdir(folder):
    if name.endswith('.part') or '.report.' in name:
        bad.append('left behind: ' + name)
    if name.endswith('.png') and open(os.path.join(folder, name), 'rb').read(8) != b'\x89PNG\r\n\x1a\n':
        bad.append('no PNG: ' + name)
for line in bad:
    print(line)
sys.exit(bool(bad))
