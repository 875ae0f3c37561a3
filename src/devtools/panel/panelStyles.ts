/** The styles of the panel: colors for light and dark pages, isolated from the styles of the page. */

const colours = `
:host {
  all: initial; display: block; height: var(--space);
  --paper: #fff; --rail: #f6f7f5; --ink: #1d2421; --dim: #68726d; --line: #e4e7e4; --edge: #c3cac6;
  --wash: #e6f3ec; --hover: #f0f3f1; --accent: #157f56;
  --green: #157f56; --amber: #8f5f00; --red: #b3352c; --blue: #2563a8; --violet: #7a4aa8; --grey: #68726d;
  --shadow: 0 -6px 24px rgb(0 0 0 / 10%);
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :host {
    --paper: #161a18; --rail: #1b201e; --ink: #e2e8e5; --dim: #919c97; --line: #2b322f; --edge: #47514c;
    --wash: #1c3328; --hover: #20272a; --accent: #4cc996;
    --green: #4cc996; --amber: #d9a441; --red: #f08a80; --blue: #7db3f0; --violet: #c39af0; --grey: #919c97;
    --shadow: 0 -6px 24px rgb(0 0 0 / 45%);
  }
}
`;

const frame = `
*, ::before, ::after { box-sizing: border-box; margin: 0; padding: 0; }
.dock, .pill {
  position: fixed; z-index: 2147483000; color: var(--ink); background: var(--paper);
  font: 12px/16px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  font-variant-numeric: tabular-nums;
}
.dock {
  inset: auto 0 0; height: var(--height); max-height: 100vh; display: flex; flex-direction: column;
  border-top: 1px solid var(--edge); box-shadow: var(--shadow);
}
.pill {
  right: 12px; bottom: 12px; display: flex; align-items: center; gap: 6px; padding: 6px 12px 6px 8px;
  border: 1px solid var(--edge); border-radius: 99px; box-shadow: 0 2px 10px rgb(0 0 0 / 12%); cursor: pointer;
}
.mark rect { fill: var(--accent); }
.mark path { fill: none; stroke: var(--paper); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
button { font: inherit; color: inherit; background: none; border: 0; cursor: pointer; text-align: inherit; }
button:disabled { color: var(--dim); cursor: default; opacity: .55; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 3px; }
h2 { font-size: 13px; font-weight: 600; overflow-wrap: anywhere; }
h3 { font-size: 11px; font-weight: 600; color: var(--dim); }
h3:empty { display: none; }
.dim { color: var(--dim); }
.mono, pre, .key, .value, .preview { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 11px; }
.count { color: var(--dim); font-weight: 400; }
.grip { flex: none; height: 7px; margin-top: -4px; cursor: ns-resize; touch-action: none; }
.grip:hover, .grip:focus-visible { background: var(--accent); opacity: .5; }
.bar { flex: none; display: flex; align-items: stretch; height: 32px; padding: 0 8px 0 12px; border-bottom: 1px solid var(--line); background: var(--rail); margin-top: -3px; }
.brand { display: flex; align-items: center; gap: 6px; margin-right: 16px; font-weight: 600; }
.tabs { display: flex; flex: 1; gap: 2px; overflow-x: auto; }
.tabs button { padding: 0 10px; color: var(--dim); border-bottom: 2px solid transparent; margin-bottom: -1px; white-space: nowrap; }
.tabs button:hover { color: var(--ink); }
.tabs [aria-selected=true] { color: var(--ink); border-color: var(--accent); }
.tabs .count { margin-left: 6px; }
.quiet { width: 28px; text-align: center; color: var(--dim); border-radius: 4px; }
.quiet:hover { color: var(--ink); background: var(--hover); }
.body { flex: 1; min-height: 0; display: flex; }
.empty { padding: 16px 12px; color: var(--dim); }
.floating {
  inset: auto 12px 12px auto; width: min(720px, 100vw - 24px); max-height: calc(100vh - 24px);
  border: 1px solid var(--edge); border-radius: 10px; box-shadow: 0 8px 32px rgb(0 0 0 / 22%); overflow: hidden;
}
.floating .grip { margin-top: 0; margin-bottom: -4px; }
.floating nav { width: 132px; }
@media (max-width: 640px) {
  nav { display: none; }
  .brand { gap: 0; margin-right: 4px; font-size: 0; }
  .body:not(.chosen) .detail, .chosen .main { display: none; }
  .body.chosen .detail { max-width: none; border: 0; }
}
`;

const lists = `
nav { flex: none; width: 168px; padding: 6px; overflow: auto; background: var(--rail); border-right: 1px solid var(--line); }
nav button { display: flex; justify-content: space-between; gap: 8px; width: 100%; height: 24px; padding: 4px 8px; border-radius: 4px; white-space: nowrap; }
nav button span:first-child { overflow: hidden; text-overflow: ellipsis; }
nav button:hover { background: var(--hover); }
nav [aria-pressed=true] { background: var(--wash); color: var(--accent); font-weight: 600; }
nav h3 { padding: 10px 8px 4px; }
.main { flex: 1 1 0; min-width: 0; display: flex; flex-direction: column; container-type: inline-size; }
.tools { flex: none; display: flex; align-items: center; gap: 8px; height: 32px; padding: 0 8px; border-bottom: 1px solid var(--line); }
.tools input { flex: 1; min-width: 60px; height: 22px; padding: 0 6px; font: inherit; color: inherit; background: none; border: 0; outline-offset: 0; }
.tools input::placeholder { color: var(--dim); }
.tools button, .acts button { height: 22px; padding: 0 9px; border: 1px solid var(--edge); border-radius: 4px; white-space: nowrap; }
.tools button:hover, .acts button:not(:disabled):hover { background: var(--hover); }
.rows { flex: 1; min-height: 0; overflow: auto; overflow-anchor: none; }
.row { display: flex; align-items: center; gap: 10px; height: 24px; padding: 0 12px; white-space: nowrap; cursor: default; contain: strict; }
.row:hover { background: var(--hover); }
.row[aria-selected=true] { background: var(--wash); }
.cell { overflow: hidden; text-overflow: ellipsis; }
.title { flex: 0 0 132px; }
.preview { flex: 1 1 0; color: var(--dim); }
.key { flex: 1 1 0; }
.shape { flex: 0 1 150px; color: var(--dim); }
.number, .time { flex: none; color: var(--dim); }
.time { width: 84px; }
.number { width: 36px; }
.gap { color: var(--dim); font-style: italic; }
.end { flex: none; min-width: 60px; text-align: right; color: var(--dim); }
.board-0 .end:nth-child(3) { min-width: 0; }
.board-0 .end:last-child, .board-2 .end { min-width: 64px; }
.board-3 .title { flex: 1 1 0; }
.board-3 .end { width: 116px; }
.row .badge { width: 68px; }
@container (max-width: 480px) { .board-1 .shape, .board-3 .end { display: none; } }
svg.length rect { fill: var(--blue); opacity: .75; }
svg.length { display: block; margin-left: auto; }
`;

const details = `
.detail { position: relative; flex: 1 1 0; min-width: 0; max-width: 52%; padding: 10px 14px 20px; overflow: auto; border-left: 1px solid var(--line); }
.detail > .empty { padding: 6px 0; }
.detail > [data-do=leave] { position: absolute; top: 6px; right: 8px; width: 24px; height: 24px; text-align: center; font-size: 15px; color: var(--dim); border-radius: 4px; }
.detail > [data-do=leave]:hover { color: var(--ink); background: var(--hover); }
.detail header { display: flex; align-items: baseline; gap: 8px; padding-right: 28px; margin-bottom: 8px; }
.detail section { margin-top: 14px; }
.detail h3 { margin-bottom: 4px; }
.badge { flex: none; display: inline-flex; align-items: center; gap: 5px; color: var(--grey); white-space: nowrap; }
.badge::before { content: ''; flex: none; width: 6px; height: 6px; border-radius: 50%; background: currentcolor; }
.valid, .answer { color: var(--green); }
.stale, .optimistic, .expire, .expected { color: var(--amber); }
.error, .failed, .rollback, .wrong { color: var(--red); }
.in-flight, .answered { color: var(--blue); }
.in-flight::before { background: none; box-shadow: inset 0 0 0 1.5px currentcolor; }
.set, .invalid, .invalidate { color: var(--violet); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 14px; margin: 6px 0 10px; }
dt { color: var(--dim); }
dd { overflow-wrap: anywhere; }
.acts { display: flex; flex-wrap: wrap; gap: 6px; margin: 8px 0; }
table { width: 100%; border-collapse: collapse; }
th { white-space: nowrap; text-align: left; font-weight: 400; font-size: 11px; color: var(--dim); padding: 2px 12px 3px 0; }
td { vertical-align: top; padding: 4px 12px 4px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
td:first-child { white-space: nowrap; max-width: 220px; overflow: hidden; text-overflow: ellipsis; }
td b { font-weight: 600; }
.age { white-space: nowrap; }
td div.expected { margin-top: 2px; font-size: 11px; }
.notified { color: var(--accent); }
ul { list-style: none; }
li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 5px; padding: 2px 0; overflow-wrap: anywhere; }
.dot { flex: none; width: 7px; height: 7px; border: 1px solid var(--dim); border-radius: 50%; align-self: center; }
.dot.read { border-color: var(--accent); background: var(--accent); }
.link, li [data-do=show] { color: var(--accent); text-decoration: underline; text-decoration-color: transparent; text-underline-offset: 2px; }
.link:hover, li [data-do=show]:hover { text-decoration-color: currentcolor; }
.members { display: flex; flex-wrap: wrap; gap: 2px 12px; }
pre { padding: 8px 10px; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--rail); border-radius: 4px; line-height: 17px; }
`;

export const panelStyles: string = colours + frame + lists + details;
