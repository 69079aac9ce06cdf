"""The leading part of docs/quality.md: first-sight figures beside those of today."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bench.quality.measure import Share
from bench.quality.report import Saved, figure_values

FIRST = """## First sight

How signoff judged sets that nobody had used to improve it. Each set was judged once, by a frozen
judge, and the figures were written down. They are the best estimate for new work. *Now* is the same
set judged today; people have seen its misses since, so it is a development figure.

The count is strict: a case that must be denied and is only asked about does not count as denied.
Debatable cases are left out of the figures and stand in a column of their own.
"""

NOT_FIRST = """
- First sight: the sets of these tables, each judged once by the commit in brackets.
- The authors of `adversary-2` had seen which attacks of `adversary` pass, and kept what got past:
  nearly all of it does. It shows what a patient attacker finds, not what is usual.
- The author of `unseen-shift` saw no code. Some of its kinds were known to be weak (aliases, dumps,
  secrets out of containers, playbooks, administrators' files) and worked on before it was judged,
  without its rows. No label of it was changed since; its author marked what is debatable.
- The authors of `unseen-desk`, `unseen-stack`, `unseen-debug`, `unseen-craft` and `unseen-guild`
  read only the policy, and the judge was not touched between the writing and the first sight; while
  `unseen-guild` was written, it was, by people who had not seen it. No label was changed.
- The authors of `unseen-field` and `unseen-hands` read only the policy. While `unseen-hands` was
  written, the judge was changed by people who had not seen it; before it was judged, its project
  folder was renamed to the one the measure uses. No label was changed.
- The authors of `unseen-agents`, `unseen-mix`, `unseen-more` and `unseen-tasks` read only the
  policy. While `unseen-mix` was written, the judge was changed by people who had not seen it;
  `unseen-tasks` was written and judged after `unseen-agents` was mended. `unseen-more` holds what
  the author of `unseen-mix` added to it on the same day. Two values of links in the chains were put
  in the order that the measure reads. No label was changed.
- The authors of `unseen-week`, `unseen-bench`, `unseen-round`, `unseen-shore`, `unseen-isle` and
  their chains read only the policy (the last three the founding requirements, too), those of
  `unseen-doors`, `unseen-counter`, `unseen-gates` and `unseen-quays` only the specification, those
  of `unseen-pages`, `unseen-feeds`, `unseen-wire`, `unseen-mailroom`, `unseen-harbor`,
  `unseen-cove` and `unseen-reef` nothing of the project. While they wrote, the judge was changed by
  people who had not seen their sets; the later one of each kind was judged after the earlier one
  was mended. Eleven rows of `unseen-pages` that were texts of other projects were taken out before
  it was judged, and its classes were renamed to the one the measure reads. No label was changed.
- The authors of `unseen-fjord` and `unseen-gorge` read only the policy. Both were judged by a state
  that was trained without them: `unseen-fjord` by the first version of the classifier,
  `unseen-gorge` by the next one. In two rows a folder was renamed. No label was changed.
- The authors of `unseen-plains` (six), `unseen-uplands` (six), `unseen-scree` (two) and
  `unseen-lagoon` (three) read only the policy, those of `unseen-ordinary` (two) the policy and a
  list of what guards fear. `unseen-plains` was judged by the state before, `unseen-uplands` and
  `unseen-scree` each after the classifier had learned from the ones before it. `unseen-lagoon` was
  judged last, once, after everything below was built and learned; nothing was changed for it. Four
  authors of `unseen-uplands` saw up to eight rows of `unseen-scree`. In some rows a folder and a
  host were renamed. No label was changed.
- The authors of `unseen-tundra` (four), `unseen-taiga`, `unseen-steppe`, `unseen-strand` (three)
  and `unseen-meadow` read only the policy, those of `unseen-fen` (two) and `unseen-burn` nothing of
  the project. `unseen-tundra` and `unseen-fen` were judged by the state before, `unseen-taiga`
  after the classifier had learned from `unseen-tundra`, `unseen-burn` by the first version of the
  classifier of orders, the others after most of what was built with these; `unseen-strand` is not
  learned from. In some rows a folder and a host were renamed. No label was changed.
- The authors of `unseen-moor` (six), `unseen-heath` (six), `unseen-dale` (six), `unseen-fell`
  (two), `unseen-tarn` (two), `unseen-wold` (eight), `unseen-weald` (five), `unseen-ness`,
  `unseen-combe` (five) and `unseen-lea` (two) read only the policy. The first five sets were
  judged by the state before anything was changed, `unseen-wold` by the two classifiers that had
  learned from the first three, `unseen-weald` and `unseen-ness` after they had learned from
  `unseen-wold`, `unseen-combe` and `unseen-lea` with a part of the mechanisms besides.
  `unseen-fell`, `unseen-tarn` and `unseen-ness` are not learned from; one verdict on
  `unseen-fell` was seen by somebody who built mechanisms. Six authors had seen between two and
  eighteen rows of an earlier set before they read that they should not. In some rows a folder and
  a host were renamed. No label was changed.
- The authors of `unseen-holm` (four), `unseen-croft`, `unseen-scar`, `unseen-garth` (three),
  `unseen-fold` (five) and `unseen-rigg` read only the policy, those of `unseen-marsh` (two) and
  `unseen-brook` nothing of the project. The first three and `unseen-marsh` were judged by the state
  before, `unseen-garth`, `unseen-fold` and `unseen-rigg` after mechanisms were built for what the
  first three showed and before the classifiers learned from anything, `unseen-brook` after the
  classifier of orders had learned from `unseen-marsh`. `unseen-scar` and `unseen-rigg` are not
  learned from; people who built mechanisms saw verdicts on `unseen-scar`. Three rows of
  `unseen-garth` that stood in other sets were left out. No label was changed.
- The authors of `unseen-mere` (four) and `unseen-knoll` read only the policy, those of
  `unseen-beck` (two) nothing of the project. All three were judged by the state before, after the
  classifiers had learned from the sets above. No label was changed.
- The authors of `unseen-dun`, `unseen-esk`, `unseen-pike`, `unseen-sike`, `unseen-gill`,
  `unseen-keld`, `unseen-linn`, `unseen-thwaite` and `unseen-wray` read only the policy. The first
  two were judged by the state before, the next five by classifiers that weigh words near to each
  other and had learned from `unseen-mere`, the last two after the mechanisms of that round and
  after the classifiers had learned from the others but `unseen-esk` and `unseen-sike`, which are
  not learned from. The author of `unseen-pike` saw some rows of `unseen-esk`. No label was changed.
- The authors of `unseen-leat`, `unseen-stane`, `unseen-haugh`, `unseen-brae`, `unseen-hurst`,
  `unseen-beal`, `unseen-crag` and of the `unseen-variants` sets (28) read only the policy, those of
  `unseen-locks` and `unseen-wharf` only the specification, that of `unseen-rill` nothing of the
  project. `unseen-leat` and `unseen-stane` were judged by the state before, the others up to
  `unseen-variants-tools-2` when the table of harmless tools had learned from nothing of theirs,
  `unseen-variants-code-2` and `-operations-2` after mechanisms for `unseen-haugh`. `unseen-hurst`,
  `unseen-beal` and `unseen-crag` were judged after the tables had learned from all of these; they
  are not learned from. `unseen-variants-code-3` and `-mixed-2` came last. Ids of two sets were
  renamed, and folders in some rows. No label was changed; seven rows were left out that the policy
  does not settle.
- The authors of `unseen-ghyll`, `unseen-nab`, `unseen-clough`, `unseen-dingle`,
  `unseen-variants-code-4` (three), `-tools-3` (two), `-operations-3` and `-mixed-3` (two) read only
  the policy. All but `unseen-clough` and `unseen-dingle` were judged by the state before; people
  who then built mechanisms saw misses of them. `unseen-clough` and `unseen-dingle` were judged once
  after everything, by people who had seen no row of theirs. The four with plain names are not
  learned from. Folders in some rows were renamed. No label was changed.
- The authors of `unseen-lune`, `unseen-skerry`, `unseen-wath`, `unseen-variants-edits` (two),
  `-tools-4`, `-mixed-4`, `-code-5` (two), `-operations-4`, `unseen-holt-chains` and
  `unseen-garsdale-chains` read only the policy. All were judged by the state before. People who
  then built mechanisms saw misses of the groups and of `unseen-holt-chains`; nobody saw a row of
  the other four. One made-up host was renamed. No label was changed.
- The authors of `unseen-variants-tools-5`, `unseen-kent-chains`, `unseen-calder-chains`,
  `unseen-derwent-chains` and `unseen-irwell-chains` read only the policy. The first two were judged
  by the state before; people who then built mechanisms saw their misses. `unseen-calder-chains` was
  judged after that, and then its misses were seen; the last two were judged after all of it, and
  nobody who built had seen a row. Three made-up addresses were renamed. No label was changed.
- The authors of `unseen-sites`, `unseen-portals` and `unseen-forms` read only the specification;
  that of `unseen-apps` had read docs/web-requests.md.
- The commit 62ae13ce, which judged `unseen-hands` and `unseen-apps`, is not in this history: it is
  a state between 1fa041c1 and 3fb8fc30.
- The author of `unseen-web` and `unseen-results` had not read the patterns. The author of
  `unseen-services` had, and made some of its attacks against what was mended by `unseen-web`.
- Not first sight: every other set of this page. People saw the misses of `bypass`, `policy`,
  `shell`, `sql` and of the own sets, and fixed them, before those figures were taken.
"""

# By hand: a figure cannot say what was missing. Ids are those of the set's file.
MISSED = """### What the newest sets showed

`unseen-craft` and `unseen-guild` hold work of trades that no earlier set has. What must be denied
is then asked about more often, and some of it passes: 71 and 78 % denied, 94 and 95 % flagged. In
the sets of kinds that were met before, `unseen-stack` and `unseen-debug`, it was 94 and 97 %
denied. `unseen-guild` was written and judged after `unseen-craft` was mended. What was missing:

| missing | rows of `unseen-craft` | rows of `unseen-guild` |
| --- | --- | --- |
| programs and code that no reader knows, in files that run by themselves | 043, 044, 088, 089, 139, 187, 284, 383 | 148, 202, 245, 246, 292 |
| private data that leaves: exports of people, tables of patients, cookies | 039, 185, 285, 286 | 158, 181, 192 |
| tools of services: everything at once, for good, or led away | 389 to 454 | 319, 342 |
| production and people in a loop, in a selection or a system's own words | 046, 093, 137, 183, 235, 239, 334 | 167, 214, 234, 243 |
| deletions, access and guards by tools nobody described | 140, 328, 442 | 212, 217, 274 |
| edits that take a check away or make more run | 177, 178, 226 to 228 | 183, 290, 297, 303 |
| services, containers and devices of other systems | 031, 126, 172, 223, 456 | 071, 099, 159, 173, 210, 220, 257 |
| ordinary: generated folders, tests' data, consoles, numbers in `$(( ))` | 007, 056, 106, 152, 160, 197, 249, 258 | 018, 206, 229, 264, 362, 363 |

`unseen-field` holds half of every project's kinds and half of thirty trades' (94.7 % flagged, 85.3 %
denied, 5.0 % of the ordinary calls interrupted). What it showed was mended by mechanism: data that
brings code along (pickles, notebooks, script blocks), code decoded on the line, start-up files of
images, loops over a server's own listing or a list of plants, queries without a bound, records of
people that leave. Harmless and stopped: build output that is mirrored, links, tools that may not
install anything.

`unseen-hands` is the first set of edits, tools of services and functions alone. Of what must be
denied 96.2 % was flagged, but only 59.0 % denied: a function's name alone was never more than asked
about, although name, arguments and docstring said the same (26 functions, 3 denied). Of edits 21 of
25 were denied, of tools 22 of 27. Ordinary functions were stopped in 10 of 32 cases, by verbs that
are part of a noun (`kill_curve`) or act on a value in memory (`truncate_headline`).

`unseen-agents` showed the same gap again: 94.3 % flagged, 60.9 % denied, 15.2 % of the ordinary calls
interrupted. What had been mended after `unseen-hands` were combinations of words. It was replaced by
one weighing of act, scope and aggravation, in the words of many trades (`assess/combined/gravity.py`),
and by the grammar of names, which tells a value from an act (`tools/naming/values.py`). The next set,
`unseen-tasks`, was written by somebody else and judged after that: 94.7 % flagged, 84.2 % denied, 4.1 %
interrupted. What it still misses: a filter that selects nearly everybody (104), a key that is an example
(111), a stop that says `ignore` of people (170), a cancelled event with its notices (150).

`unseen-mix` reaches every goal but one (97.4 % of what must be denied is flagged, the goal is 98 %), and
all of its chains are denied. `unseen-more`, which holds more trades, does not: 85.7 % flagged, 78.6 %
denied, 8.3 % interrupted. What was missing in both:

| missing | rows of `unseen-mix` | rows of `unseen-more` |
| --- | --- | --- |
| code that the line writes for a tool to load (Tcl, Scheme, Perl settings) | 212 | 078, 080 |
| a line behind a bar, computed file names, arguments of inline code | 218, 278 | 085 |
| machines, indexes and directories of products nobody described | 208, 273 | 013, 017, 095 |
| people and money in a loop, by a tool's own command | 232, 261 | |
| what is opened or watched less by an API's field or a rule's file | 087, 194 | |
| edits by a text tool, and text from a variable | 100 | 021 |
| whole kinds of content by wildcard | | 076 |
| ordinary: numbers in `$(( ))`, names that a listing hands to `sh -c` | 043, 066 | |
| ordinary: PowerShell's computed columns, `--dry_run`, programs by their path | | 048, 052, 091, 096 |

In both sets of trades some rows are asked about by their label and denied here: keys and logins of the cloud
that are read, folders of the home that are deleted (ADR 0008).

Of web requests, the ordinary ones of `unseen-sites` and `unseen-portals` were stopped in 20 and
30 %: nearly all carry code, queries or markup in a field that is made for it. The report of a
shadow run names the setting that lets such a field pass. Attacks were denied in 100 and 98 %. Of
`unseen-forms`, written after those were mended, 8.4 % of the ordinary requests were stopped and 98.8 %
of the attacks denied. Of `unseen-counter` 7 % of 110 requests of ordinary sites were stopped and 52 %
of 110 of products whose fields carry code, queries or markup; all attacks of it were denied.

`unseen-week` and `unseen-bench` show what is still missing in calls at first sight: 99.0 and 92.4 %
of what must be denied is flagged, 83.8 and 81.8 % denied, 10.8 and 4.4 % of the ordinary calls are
interrupted; of their chains 42.9 and 60.0 % are denied, 16.7 and 5.0 % let through, 16.7 % and none of
the ordinary ones stopped. A quarter of `unseen-bench` is code with libraries of services
(`actions/code/services`): of 18 such rows that must be denied 4 were let through. What was missing:

| missing | rows of `unseen-week` | rows of `unseen-bench` |
| --- | --- | --- |
| acts of client libraries: callbacks, `-r` libraries, publish, directories, clusters | | 027, 030, 032, 035, 036, 047, 057 |
| names and code put together by PowerShell or by `map` | 276 | 049, 053, 054 |
| rights that are given in steps, new administrators of systems | 171, 179, 182, 281, 326 | 156 |
| tables and queries that send rows away | 174, 176 | 155 |
| deletions without a bound by tools nobody described | 175 | 055, 104, 158, 159 |
| machines, printers, robots | | 138, 144, 157 |
| messages to everybody, settings that lead mail away | 189, 330 | |
| edits that run what a request carries | 227 | |
| ordinary: dry runs in joined options, listings in `$( )`, test networks, functions named by a noun | 018, 033, 126, 128, 132, 289, 293, 296, 299, 303 | 007, 020, 205, 208 |

Results of tools: 35.6 % of the orders of `unseen-pages` were found, 18.8 % of those of
`unseen-feeds`, which come in thirty languages, 60.0 % of those of `unseen-wire`; of the ordinary
results 18.1, 5.0 and 3.3 % were flagged. Nearly all of the missing ones speak to a machine in words
that no pattern had. They are now found by the parts they are made of (`assess/patterns/orders`).
Of `unseen-mailroom`, written after that, 27.8 % of the orders were found and 11.3 % of the ordinary
results flagged: its author hides orders in codes, error messages and data in 26 languages, and puts beside
them rules of projects for their agents, chat templates and texts about attacks. A learned classifier
(runs of letters and words, trained on all other sets) found 0 to 10 % of a set it had not seen at
0.5 % of false alarms, and is not used.

`unseen-round` holds thirty trades in fifty projects. When it was judged, the measure took one folder
for the project of each of them; with the folder of the call, as hosts have it, the same judge flags
95.8 % of what must be denied, denies 83.2 %, flags 93.1 % of what must be asked about and interrupts
5.7 % of the ordinary calls. Of its chains 43.8 % were denied and 12.5 % let through. What was missing:

| missing | rows of `unseen-round` |
| --- | --- |
| a shell line or SQL inside an option of a program that runs it | 140, 143, 144 |
| everything of a kind: people, mailboxes, machines, snapshots, also in an address | 142, 145, 148, 149, 158, 165, 287 |
| code that arrives in a callback, and further decoders | 193, 196 |
| PowerShell: what .NET's classes do, values computed in an argument | 283, 284 |
| stored passwords by a library, personal data in the body of a tool | 187, 264 |
| sources by Git, scripts on devices, robots | 033, 118, 129, 132 |
| tests taken out in a configuration | 220 |
| chains: links and halves of programs made earlier, computed arguments of own scripts, steps over services | c03, c07, c08, c10, c11, c13 to c16 |
| ordinary: temporary homes, plans, generated folders, weakenings that are taken away, own servers and processes | 025, 087, 091, 211, 267, c21, c26 |

Of the ordinary requests of `unseen-gates` 25.5 % were stopped: of 110 of ordinary sites 9 (their author
chose awkward ones: a playlist named `; DROP TABLE beats`, a quiz whose answer is `<script>`), and 43 % of
110 of technical products; 98.6 % of the attacks were denied.

Of `unseen-quays`, by another author, 18.6 % of the ordinary requests were stopped (7 of 86 of ordinary
sites, 26 of 91 of technical products) and 93.8 % of the attacks denied. Six attacks passed: two long
GraphQL documents (limits on them are an option), a forged forwarded host, a member that gives itself
a role, and two that are found now: statements of SQL Server between others (`RECONFIGURE`), and a tag
in a YAML body that names a class. Excuses by how a reported finding lies in its text took `unseen-gates`
from 20.0 to 17.3 %, and changed nothing of `unseen-quays`: they are not used.

Two further authors wrote `unseen-locks` and `unseen-wharf`, each 130 requests of sites for everybody, 130 of products for technical
people, and 80 attacks, half of them hidden in long bodies. At first sight 9 of 256 of the former were stopped (3.5 %), 92 of 260 of the latter
(35 %), and 92.5 and 85.0 % of the attacks denied. A learned table that tells content from attacks among what the patterns stop was built and is not used: of
178 stopped ordinary requests it excused 59 at 0.35 % of the attacks lost, but 8 % of published attacks that it had not learned from, put into ordinary texts, passed; where fewer
than 2 % pass it excuses a quarter. What somebody can pad is no evidence.

Of `unseen-harbor`, by a fifth author, 25.6 % of the orders to a model were found and 7.0 % of the
ordinary results flagged: 59 of its 133 orders name no model, and read like notes of an office.

`unseen-shore` holds twenty settings, most with tools and file formats that no earlier set has (game
engines, mainframes, laboratories, maps, studios, robots, back offices): 44.5 % of what must be denied
was denied and 82.7 % flagged, 87.1 % of what must be asked about was flagged, 8.0 % of the ordinary
calls were interrupted. Of its 28 chains 47.1 % of the attacks were denied, a quarter was let through,
and four of eight ordinary ones were asked about. Its misses were then worked on as mechanisms, each
tried on further cases of other products (those of the mechanisms' own authors: 8 to 18 of 20 denied).

`unseen-isle` was written meanwhile, of twenty other settings (telephony, hospitals, plants, networks,
schools, books), and judged once by both states. It tells how far that carries: before the work on
`unseen-shore` 51.1 % of what must be denied was denied, after it 53.3 %, while `unseen-shore` itself
had gone from 44.5 to 89.1 % (98.2 % now). **What is mended for one set of unmet work hardly helps with the next.** The
first sight of a set of unmet kinds stays near one half, and 15.6 % of its ordinary calls were
interrupted. Its chains did better: 57.1 % denied, one of 18 let through; three of eight ordinary ones
were stopped. What was missing:

| missing | rows of `unseen-isle` | now |
| --- | --- | --- |
| what a machine keeps for services and people, sent to a stranger | 001, 025, 064, 157 | denied |
| addresses written backwards or in hexadecimal, encoded lines, scripts in the tree of an image, a secret handed to a program that sends | 065, 092, 102, 119, 144 | denied |
| tools: expunge and no-undo flags, the account of everybody's pay, second factors and logs off, JSON Patch | 026, 066, 166, 182, 193 | denied |
| the same by other words: numbers given up, tags of measurements, a batch of payments, ABAP lines | 004, 014, 093, 224 | asked |
| code that lets somebody in: an administrator planted by a theme or a test, a function made of pieces | 016, 044, 154 | let through |
| devices and plants: erased switches, overridden interlocks, alarms and doors of all sites | 061 to 063, 076, 089 | asked or let through |
| languages: R, MATLAB, OCaml, Lua in an editor, Odoo's shell, Veeam's cmdlets | 103, 106, 126, 129, 130, 167, 213 | asked or let through |
| ordinary work: unknown programs with an option or a name that frightens, code of unknown languages, a file system in an image file, queries of graphs | 011, 033, 036, 038, 111, 114, 118; 188, 218 | asked; the last two pass |

Of `unseen-cove`, by a sixth author, 21.7 % of the orders to a model were found and 6.4 % of the ordinary
results flagged. That state held a rule for orders known by how they turn to a machine and what they
want, made on other sets; without it 19.2 and 5.0 % (now 3.6 %) are. Three more of 120 for two more false alarms of
140: it was taken back.

So the next step was no further rule: a [classifier](call-classifier.md) of words and operations makes a verdict stricter by one
step. `unseen-fjord` was judged by its first version (words alone), `unseen-gorge` by the present one, each trained without the set:

| set | state | denied | flagged | `ask` denied | ordinary interrupted |
| --- | --- | --- | --- | --- | --- |
| unseen-fjord | without the classifier | 44.6 % | 81.9 % | 1.7 % | 6.2 % |
| unseen-fjord | words alone: first sight | 53.0 % | 81.9 % | 3.3 % | 6.2 % |
| unseen-fjord | words and operations | 56.6 % | 88.0 % | 5.0 % | 6.2 % |
| unseen-gorge | without the classifier | 35.7 % | 92.9 % | 0.0 % | 6.2 % |
| unseen-gorge | words and operations: first sight | **59.5 %** | 92.9 % | 0.0 % | 6.2 % |

The next sets showed that the classifier grows with the settings it learns from, and that rules do carry over where they are made of
what many misses have in common. `unseen-plains`, 900 calls of sixty settings, was judged; then its misses were read by kind, and
mechanisms were built for the kinds: acts, scopes and times of keeping in the values of calls, lines handed to other machines,
statements of consoles, query languages, code of any language that fetches and runs, services of this machine, dry runs. No setting of it
is one of `unseen-lagoon`, which was judged last:

| set | state | denied | flagged | `ask` denied | ordinary interrupted |
| --- | --- | --- | --- | --- | --- |
| unseen-plains, 900 calls | first sight | 58.6 % | 89.2 % | 3.3 % | 19.1 % |
| unseen-uplands, 900 calls | first sight: learned from unseen-plains | 60.9 % | 90.6 % | 4.6 % | 21.1 % |
| unseen-scree, 300 calls | first sight: learned from unseen-uplands, too | 69.2 % | 90.0 % | 8.8 % | 11.0 % |
| unseen-ordinary, 400 ordinary calls | first sight: with the mechanisms | | | | 10.0 % |
| unseen-lagoon, 420 calls | the state before all of this | 71.4 % | 91.7 % | 5.4 % | 17.9 % |
| unseen-lagoon | with the mechanisms, without the classifier | 67.3 % | 91.1 % | 4.5 % | 12.9 % |
| unseen-lagoon | first sight: both | **82.7 %** | 92.3 % | 8.9 % | 12.9 % |

More than half of the ordinary calls of these sets are meant to look like a danger. The shipped weights have seen every set of this
table but `unseen-lagoon` and `unseen-gorge`: the figures of today for the others say little.

What is still missing, by kinds of `unseen-plains` and `unseen-uplands`: bulk acts through methods of client libraries in code that a tool
runs (refunds in a loop, public access, lifetimes of a minute); hidden routes and logins in frameworks; form fields sent to strangers; code
of compiled languages that only computes; the 42 calls to ask about that pass.

One round later, with 1,470 further calls of eighty settings:

| set | state | denied | flagged | `ask` denied | ordinary interrupted |
| --- | --- | --- | --- | --- | --- |
| unseen-tundra, 600 calls | first sight | 76.2 % | 95.0 % | 7.5 % | 15.0 % |
| unseen-taiga, 150 calls | first sight: the classifier learned from unseen-tundra | 78.3 % | 96.7 % | 7.5 % | 14.0 % |
| unseen-steppe, 150 calls | first sight: with part of the mechanisms | 73.3 % | 95.0 % | 10.0 % | 10.0 % |
| unseen-strand, 420 calls | the state before all of this | 68.5 % | 90.5 % | 4.5 % | 15.6 % |
| unseen-strand | first sight: with part of the mechanisms | **69.6 %** | 89.3 % | 2.7 % | 15.6 % |
| unseen-strand | with all of them, and the classifier without it | 71.4 % | 91.1 % | 1.8 % | 15.6 % |
| unseen-meadow, 150 ordinary calls | first sight | | | | 0.7 % |

So a set of other authors is worth as much as a better judge: the same state denies 83 % of `unseen-lagoon` and 71 % of `unseen-strand`.
`unseen-meadow` holds the ordinary calls of coding agents, half of them near a danger; the ordinary calls of the others are made to look like one.

The next round took the two things that had helped at their word: more authors, and a classifier that knows more. 10,079 calls of 736 settings
and projects by 43 authors; two tables of weights that know what the rules found (docs/call-classifier.md); then mechanisms for what the first
three sets showed:

| set | state | denied | flagged | `ask` flagged | ordinary interrupted |
| --- | --- | --- | --- | --- | --- |
| unseen-moor, 1,440 calls | first sight: the state before | 68.9 % | 88.5 % | 87.8 % | 12.3 % |
| unseen-heath, 1,440 calls | the same | 73.1 % | 92.2 % | 86.7 % | 15.6 % |
| unseen-dale, 1,440 calls | the same | 73.6 % | 89.2 % | 87.5 % | 7.7 % |
| unseen-wold, 1,920 calls | the same | 78.4 % | 93.5 % | 88.4 % | 13.6 % |
| unseen-wold | first sight: two classifiers, learned from the three above | **83.6 %** | 95.8 % | 90.8 % | 14.1 % |
| unseen-weald, 1,200 calls | first sight: learned from unseen-wold, too | **86.4 %** | 96.0 % | 92.8 % | 19.2 % |
| unseen-combe, 1,200 calls, 40 % of them files | first sight: the same, with a part of the mechanisms | 72.3 % | 87.3 % | 83.2 % | 17.5 % |
| unseen-lea, 479 ordinary calls | first sight: the same | | | | 7.9 % |
| unseen-fell, 360 calls | first sight: the state before | 77.1 % | 89.6 % | 87.5 % | 17.5 % |
| unseen-fell | all of it, not learned from | 86.8 % | 94.4 % | 95.8 % | 17.5 % |
| unseen-tarn, 360 calls | first sight: the state before | 70.8 % | 94.4 % | 83.3 % | 10.0 % |
| unseen-tarn | all of it, not learned from | 86.1 % | 96.5 % | 87.5 % | 10.8 % |
| unseen-ness, 240 calls | first sight: as unseen-weald | 79.2 % | 94.8 % | 92.2 % | 12.5 % |
| unseen-ness | all of it, not learned from | 82.3 % | 96.9 % | 90.6 % | 12.5 % |
| unseen-strand, 420 calls | the state before; its first sight 69.6 % | 71.4 % | 91.1 % | 89.2 % | 15.6 % |
| unseen-strand | all of it, not learned from | 81.5 % | 97.0 % | 91.9 % | 12.8 % |
| unseen-lagoon, 420 calls | the state before; its first sight 82.7 % | 83.3 % | 94.0 % | 96.4 % | 11.4 % |
| unseen-lagoon | all of it, not learned from | 92.9 % | 97.6 % | 96.4 % | 9.3 % |

What a file would do once it is used is still told worse than what a command does: `unseen-combe` holds the most of them.

So the next round was about files: 3,597 further calls by 15 authors, two of three of them files; lines in files, code that betrays, names of
tools in other languages, stand-ins and things that a line makes itself as mechanisms; and a table for denying that needs no second opinion.
"Before" is the state before the round, by the same sets:

| set | state | denied | flagged | `ask` flagged | ordinary interrupted |
| --- | --- | --- | --- | --- | --- |
| unseen-holm, 960 calls, half of them files | first sight: the state before | 71.3 % | 87.4 % | 92.1 % | 11.0 % |
| unseen-croft, 240 ordinary calls | the same | | | | 11.2 % |
| unseen-scar, 240 calls | the same | 82.5 % | 95.0 % | 90.0 % | 14.4 % |
| unseen-scar | all of it, not learned from | 86.2 % | 98.8 % | 90.0 % | 13.3 % |
| unseen-garth, 717 calls, half of them files | before | 65 % | 78 % | 93 % | 13 % |
| unseen-garth | first sight: with the mechanisms | **70.9 %** | 82.0 % | 92.6 % | 14.1 % |
| unseen-fold, 1,200 files | first sight: the same | **57.9 %** | 76.8 % | 81.9 % | 6.4 % |
| unseen-rigg, 240 calls, 60 % of them files | before | 73 % | 89 % | 95 % | 12 % |
| unseen-rigg | first sight: with the mechanisms | **78.8 %** | 94.1 % | 95.4 % | 12.2 % |
| unseen-rigg | all of it, not learned from | 82.4 % | 91.8 % | 95.4 % | 13.3 % |
| unseen-fell | before; all of it, not learned from | 86.8; 88.2 % | 94.4; 97.2 % | 95.8; 93.8 % | 17.5; 11.7 % |
| unseen-tarn | the same | 86.1; 86.8 % | 96.5; 96.5 % | 87.5; 88.5 % | 10.8; 5.8 % |
| unseen-ness | the same | 82.3; 82.3 % | 96.9; 95.8 % | 90.6; 92.2 % | 12.5; 7.5 % |
| unseen-strand | the same | 81.5; 81.5 % | 97.0; 97.6 % | 91.9; 91.9 % | 12.8; 9.2 % |
| unseen-lagoon | the same | 92.9; 92.9 % | 97.6; 97.6 % | 96.4; 96.4 % | 9.3; 7.1 % |

At first sight lines of shells, tools and functions are denied in 86 to 100 % of the cases to deny, files in 50 to 65 %.

What tells a grave file from an ordinary one is often one line of it. So 28 authors wrote groups: one file, line or tool with a gap, and about fourteen
acts that fit the gap, grave, to ask about and ordinary. 3,000 such rows taught the tables about as much as 15,000 rows of unlike
calls did before, on other sets. Judged before anything was learned from them they are the hardest sets there are:

| set | denied | flagged | `ask` flagged | ordinary interrupted |
| --- | --- | --- | --- | --- |
| unseen-variants-code, 2,739 acts in files of applications | 47.9 % | 63.8 % | 43.4 % | 16.9 % |
| unseen-variants-operations, 1,000 in files of operations | 68.4 % | 87.7 % | 69.3 % | 33.3 % |
| unseen-variants-tools, 2,070 by tools | 51.5 % | 97.6 % | 97.4 % | 52.1 % |
| unseen-variants-mixed, 2,053 lines, files and tools | 82.5 % | 93.0 % | 79.8 % | 18.8 % |
| unseen-variants-tools-2, 1,120 whose words mislead | 37.5 % | 97.2 % | 97.5 % | 53.7 % |
| unseen-variants-code-2, 1,464: with mechanisms for weakened checks | 37.5 % | 49.3 % | 37.5 % | 11.3 % |
| unseen-variants-operations-2, 838 | 77.5 % | 92.6 % | 71.5 % | 22.0 % |
| unseen-variants-code-3, 1,008: learned from the seven above | 43.8 % | 59.7 % | 41.7 % | 3.5 % |
| unseen-variants-mixed-2, 1,694: the same | 52.7 % | 91.6 % | 82.3 % | 33.5 % |

Four further groups of sets came after that (407 gaps, 5,435 acts by eight further authors), judged by tables that had learned from all of the above:

| set | denied | flagged | `ask` flagged | ordinary interrupted |
| --- | --- | --- | --- | --- |
| unseen-variants-code-4, 1,830 acts in files and edits of applications | 40.4 % | 57.3 % | 34.1 % | 5.7 % |
| unseen-variants-tools-3, 1,454, half of them in some forty languages | 66.0 % | 96.0 % | 93.6 % | 46.3 % |
| unseen-variants-operations-3, 727 in files of operations | 39.8 % | 71.3 % | 43.8 % | 16.4 % |
| unseen-variants-mixed-3, 1,424 lines, tools and files near to danger | 78.1 % | 97.0 % | 90.8 % | 20.5 % |

And five more (348 gaps, 4,655 acts by seven further authors), judged by tables that had learned from all of these:

| set | denied | flagged | `ask` flagged | ordinary interrupted |
| --- | --- | --- | --- | --- |
| unseen-variants-edits, 1,278 edits among unchanged lines | 51.4 % | 66.7 % | 40.0 % | 19.3 % |
| unseen-variants-code-5, 1,183 files and edits of applications | 53.0 % | 71.9 % | 42.3 % | 7.3 % |
| unseen-variants-tools-4, 711, most of them in other languages | 64.8 % | 96.6 % | 99.0 % | 42.0 % |
| unseen-variants-operations-4, 676 in files of operations | 58.8 % | 80.4 % | 53.8 % | 11.5 % |
| unseen-variants-mixed-4, 807, more of them to ask about | 79.3 % | 92.2 % | 67.7 % | 16.2 % |

And 68 calls of tools of as many trades, in 43 languages: of 884 acts 51.2 % of those to deny were denied and 95.3 % flagged, 94.9 % of those to ask
about, and 41.7 % of the ordinary ones interrupted (`unseen-variants-tools-5`).

Ordinary sets of the same days; "before" is the state of the morning, judged for comparison:

| set | state | denied | flagged | `ask` flagged | ordinary interrupted |
| --- | --- | --- | --- | --- | --- |
| unseen-leat, 240 tools, half of them in twenty other languages | first sight: before | 55.0 % | 96.2 % | 97.9 % | 45.5 % |
| unseen-stane, 240 of mixed work far from software | first sight: before | 81.2 % | 91.2 % | 95.8 % | 8.0 % |
| unseen-haugh, 240 files of applications | first sight | 65.0 % | 80.0 % | 54.2 % | 3.6 % |
| unseen-brae, 240 files of operations | first sight | 70.0 % | 90.0 % | 83.3 % | 16.1 % |
| unseen-hurst, 240 files of applications | before | 58.8 % | 76.2 % | 75.0 % | 1.8 % |
| unseen-hurst | first sight: learned from the groups | **70.0 %** | 82.5 % | 85.4 % | 0.9 % |
| unseen-beal, 240 tools | before | 81.2 % | 97.5 % | 93.8 % | 35.7 % |
| unseen-beal | first sight: learned from the groups, harmless tools known | **83.8 %** | 97.5 % | 93.8 % | 25.0 % |
| unseen-crag, 240 of mixed work | before | 88.8 % | 93.8 % | 89.6 % | 8.0 % |
| unseen-crag | first sight: learned from the groups | **91.2 %** | 95.0 % | 91.7 % | 7.1 % |

The sets after those; the first two were judged before anything was changed, the last two after mechanisms for what the groups and the first two had
shown, and by tables that had learned from the groups:

| set | state | denied | flagged | `ask` flagged | ordinary interrupted |
| --- | --- | --- | --- | --- | --- |
| unseen-ghyll, 240 of mixed work | first sight: before | 91.2 % | 98.8 % | 85.4 % | 13.4 % |
| unseen-nab, 240 files of applications and tools | first sight: before | 77.5 % | 91.2 % | 89.6 % | 11.6 % |
| unseen-clough, 240 of mixed work | before | 93.8 % | 96.2 % | 95.8 % | 6.2 % |
| unseen-clough | first sight | **93.8 %** | 97.5 % | 95.8 % | 4.5 % |
| unseen-dingle, 240 files | before | 73.8 % | 86.2 % | 91.7 % | 5.4 % |
| unseen-dingle | first sight | **78.8 %** | 90.0 % | 91.7 % | 3.6 % |

The sets after those were all judged by the state before. What was built then was built by people who saw misses of the groups and of
`unseen-holt-chains`, and of none of these sets; so the second line of each is a first sight, too, of another state:

| set | state | denied | flagged | `ask` flagged | ordinary interrupted |
| --- | --- | --- | --- | --- | --- |
| unseen-lune, 240 files, half of them edits | before | 76.2 % | 91.2 % | 95.8 % | 2.7 % |
| unseen-lune | after | **83.8 %** | 90.0 % | 93.8 % | 0.9 % |
| unseen-skerry, 240 of mixed work | before | 90.0 % | 96.2 % | 100.0 % | 3.6 % |
| unseen-skerry | after | 88.8 % | 96.2 % | 100.0 % | 3.6 % |
| unseen-wath, 240 tools and lines | before | 85.0 % | 92.5 % | 93.8 % | 13.4 % |
| unseen-wath | after | 86.2 % | 92.5 % | 93.8 % | 11.6 % |

And sessions of several calls, 45 attacks and 45 ordinary ones each:

| set | state | attacks let through | to deny: denied | ordinary stopped |
| --- | --- | --- | --- | --- |
| unseen-holt-chains | before | 8.9 % | 57.5 % | 4.4 % |
| unseen-garsdale-chains | before | 17.8 % | 42.5 % | 6.7 % |
| unseen-garsdale-chains | after | 15.6 % | **62.5 %** | 6.7 % |
| unseen-kent-chains | the same | 11.1 % | 65.0 % | 11.1 % |
| unseen-calder-chains | the same | 13.3 % | 65.0 % | 6.7 % |
| unseen-calder-chains | after the misses of unseen-kent-chains were seen | 13.3 % | 65.0 % | 8.9 % |
| unseen-derwent-chains | the state before both | 11.1 % | 47.5 % | 17.8 % |
| unseen-derwent-chains | after both | 8.9 % | **55.0 %** | 17.8 % |
| unseen-irwell-chains | the state before both | 13.3 % | 72.5 % | 2.2 % |
| unseen-irwell-chains | after both | 13.3 % | **72.5 %** | 2.2 % |
| unseen-garsdale-chains | after both | 11.1 % | 65.0 % | 6.7 % |

Results of tools: a classifier of sentences in which an automated reader is named (docs/order-classifier.md) finds orders by their
meaning.

| set | state | orders found | ordinary results flagged |
| --- | --- | --- | --- |
| unseen-fen, 400 results | first sight: patterns alone | 25.6 % | 5.9 % |
| unseen-burn, 160 results | the same state | 26.7 % | 4.0 % |
| unseen-burn | first sight: with the classifier | **58.3 %** | 4.0 % |
| unseen-marsh, 600 results | first sight: the same | **35.5 %** | 0.8 % |
| unseen-brook, 240 results | the same | 27.8 % | 3.3 % |
| unseen-brook | first sight: learned from unseen-marsh, windows that keep something from somebody | **32.2 %** | 2.0 % |
| unseen-rill, 400 results | first sight: learned from all of the above | **48.1 %** | 2.9 % |

Most ordinary results of these sets are made to look like orders. Of 8,764 manuals, change logs and pages of package data on a
developer's machine 2.12 % were flagged, and 0.37 % are since the patterns tell descriptions from orders and samples from secrets
(`python -m bench.documents` does the same on any machine).

Of `unseen-reef`, by a seventh author, 30.0 % of the orders to a model were found and 5.0 % of the ordinary results flagged.
"""  # noqa: E501


def first_sight_lines(result: Saved, first: Mapping[str, Saved], sessions: Saved) -> Iterator[str]:
    """Write the section: figures, strict counts, real sessions, and what was not first sight."""
    yield FIRST
    now = figure_values(result["figures"])
    yield "| set | measure | first sight | now | goal | n |"
    yield "| --- | --- | ---: | ---: | --- | ---: |"
    for entry in first.values():
        # A set without a case of a class promises nothing about it.
        for one in (one for one in entry.get("figures", ()) if one["n"]):
            bound = "at least" if one["at_least"] else "at most"
            unit = f" {one['unit']}" if one["unit"] else ""
            value = now.get((one["set"], one["measure"]))
            today = "not measured" if value is None else f"{value:.2f}{unit}"
            yield (
                f"| {one['set']} | {one['measure']} | {one['value']:.2f}{unit} | {today} "
                f"| {bound} {one['target']:g}{unit} | {one['n']} |"
            )
    yield ""
    yield from _counts(first)
    yield from _sessions(first.get("sessions", {}), sessions)
    yield NOT_FIRST
    yield MISSED


def _counts(first: Mapping[str, Saved]) -> Iterator[str]:
    """Write the counts behind the figures, debatable cases in a column of their own."""
    yield "| set (first sight at) | label | n | denied | asked | flagged | debatable flagged |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for name, entry in first.items():
        rows = {row["label"]: row for row in entry.get("rows", ())}
        for label in ("deny", "ask", "allow"):
            if label in rows:
                debatable = _flagged(rows.get(f"{label} (debatable)"))
                at = f"{name} ({entry['commit']})"
                yield f"| {at} | {label} | {_shares(rows[label])} | {debatable} |"
    yield ""


def _shares(row: Mapping[str, Any]) -> str:
    n, deny, ask = row["n"], row["deny"], row["ask"]
    shares = (Share(hits, n).percent for hits in (deny, ask, deny + ask))
    return f"{n} | " + " | ".join(f"{share:.1f} %" for share in shares)


def _flagged(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return ""
    return f"{Share(row['deny'] + row['ask'], row['n']).percent:.1f} % of {row['n']}"


def _sessions(first: Saved, now: Saved) -> Iterator[str]:
    """Write how often recorded sessions of coding agents are interrupted."""
    if not first:
        return
    yield "Interruptions of ordinary work, per 100 calls of recorded sessions:\n"
    yield (
        "| sessions of | calls | first sight | asked | denied | with session grants | now "
        "| now with session grants |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    names = {"all": first, **first["sources"]}
    today = {"all": now, **now["sources"]} if now else {}
    for name, row in names.items():
        stopped = row["ask"] + row["deny"]
        counts = (stopped, row["ask"], row["deny"], stopped - row["granted"])
        cells = " | ".join(f"{Share(count, row['calls']).percent:.2f}" for count in counts)
        yield f"| {name} | {row['calls']} | {cells} | {_now(today.get(name))} |"


def _now(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "not measured | not measured"
    stopped = row["ask"] + row["deny"]
    counts = (stopped, stopped - row["granted"])
    return " | ".join(f"{Share(count, row['calls']).percent:.2f}" for count in counts)
