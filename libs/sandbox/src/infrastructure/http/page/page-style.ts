/** The only style sheet. The Content-Security-Policy has its hash, so no element may have a style attribute. */
export const pageStyle = `
:root {
  --ground: #f6f7f9; --sheet: #fff; --ink: #16181d; --quiet: #667085; --line: #e4e7ec; --accent: #4f46e5;
  --good: #067647; --good-ground: #dcfae6; --bad: #b42318; --bad-ground: #fee4e2; --flat: #475467; --flat-ground: #eaecf0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1115; --sheet: #181b21; --ink: #e9ebef; --quiet: #98a2b3; --line: #2a2e37; --accent: #a5a0ff;
    --good: #75e0a7; --good-ground: #053321; --bad: #fda29b; --bad-ground: #55160c; --flat: #cecfd2; --flat-ground: #2a2e37;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
a { color: var(--accent); }
h1 { margin: 0; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere; }
pre, code { font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.quiet { color: var(--quiet); font-weight: 400; }
.bar {
  position: sticky; top: 0; z-index: 1; display: flex; align-items: center; justify-content: space-between; gap: 1rem;
  padding: .7rem max(1rem, calc(50vw - 30rem)); background: var(--sheet); border-bottom: 1px solid var(--line);
}
.brand { color: inherit; font-weight: 650; text-decoration: none; }
.live { display: flex; align-items: center; gap: .45rem; color: var(--quiet); font-size: .85rem; }
.live::before { content: ""; width: .5rem; height: .5rem; border-radius: 50%; background: #17b26a; }
.button {
  padding: .3rem .8rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--sheet); color: inherit;
  font-size: .875rem; font-weight: 550; text-decoration: none;
}
.button:hover { border-color: var(--accent); color: var(--accent); }
main { max-width: 62rem; margin: 0 auto; padding: 1rem; }
.notice { margin: 12vh auto 0; max-width: 30rem; text-align: center; color: var(--quiet); }
.notice h1 { color: var(--ink); }
.list {
  margin: 0; padding: 0; list-style: none; overflow: hidden; background: var(--sheet); border: 1px solid var(--line);
  border-radius: .75rem;
}
.list li + li { border-top: 1px solid var(--line); }
.list a {
  display: grid; grid-template: "from when" auto "subject to" auto / minmax(0, 1fr) auto; gap: .1rem 1rem;
  padding: .7rem 1rem; color: inherit; text-decoration: none;
}
.list a:hover, .list a:focus-visible { background: var(--ground); }
.list span { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.from { grid-area: from; font-weight: 600; }
.subject { grid-area: subject; }
.to { grid-area: to; justify-self: end; max-width: 24rem; color: var(--quiet); font-size: .85rem; }
.when { grid-area: when; color: var(--quiet); font-size: .85rem; text-align: right; font-variant-numeric: tabular-nums; }
.pager { display: flex; justify-content: center; padding: 1rem; }
.message { padding: 1.25rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; }
.message > p { margin: .6rem 0 0; }
.badge { display: inline-block; padding: .1rem .65rem; border-radius: 1rem; font-size: .8rem; font-weight: 600; }
.badge.pass { background: var(--good-ground); color: var(--good); }
.badge.fail { background: var(--bad-ground); color: var(--bad); }
.badge.none { background: var(--flat-ground); color: var(--flat); }
.envelope { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem 1rem; margin: 1rem 0; }
.envelope dt { color: var(--quiet); }
.envelope dd { margin: 0; overflow-wrap: anywhere; }
.tabs { display: flex; flex-wrap: wrap; border-top: 1px solid var(--line); padding-top: .75rem; }
.tabs input { position: absolute; opacity: 0; }
.tabs label {
  order: 1; padding: .3rem .9rem; border-radius: .5rem; color: var(--quiet); font-size: .9rem; font-weight: 550;
  cursor: pointer;
}
.tabs input:checked + label { background: var(--flat-ground); color: var(--ink); }
.tabs input:focus-visible + label { outline: 2px solid var(--accent); }
.tabs section { display: none; order: 2; width: 100%; margin-top: .75rem; overflow-x: auto; }
.tabs input:checked + label + section { display: block; }
.tabs pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 68vh; background: #fff; border: 1px solid var(--line); border-radius: .5rem; }
table { width: 100%; border-collapse: collapse; font-size: .85rem; }
th, td { padding: .35rem .75rem .35rem 0; vertical-align: top; text-align: left; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 550; white-space: nowrap; }
td { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  main { padding: .5rem; }
  .list a { grid-template: "from" auto "subject" auto "to" auto "when" auto / minmax(0, 1fr); }
  .when { text-align: left; }
  .to { max-width: none; justify-self: start; }
  .message { padding: .9rem; }
  .envelope { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .envelope dd { margin-bottom: .4rem; }
  th, td { display: block; border-bottom: 0; padding: .1rem 0; }
  tr { display: block; padding: .35rem 0; border-bottom: 1px solid var(--line); }
}
`;
