// The places of scripts with data in streamed HTML: never inside of a script, a comment, an attribute, a template.
import * as fc from 'fast-check';
import { Controller, RestEndpoint } from 'signalbox';
import { withServerData } from 'signalbox/ssr';
import { expect, test, vi } from 'vitest';
import { Note } from '../setup/samples.ts';
import { parseHtml } from './parseHtml.ts';

const note = new RestEndpoint({ path: '/notes/:id', schema: Note });

const HOSTILE = `</script><body><img onerror=x>--></title>]]>"'</svg><!--<script>`;

/** Streams `flushes`, and learns something new before each. */
async function sent(flushes: readonly string[]): Promise<string> {
  const controller = new Controller();
  const learn = (id: number) =>
    controller.setResponse(note, { id }, { id, text: `${id} ${HOSTILE}` });
  let at = 0;
  const html = new ReadableStream<string>({
    async pull(out) {
      await new Promise((resolve) => setTimeout(resolve, at === 0 ? 0 : 3));
      if (at === flushes.length) return out.close();
      await learn(at);
      out.enqueue(flushes[at++] as string);
    },
  });
  return new Response(withServerData(html, controller)).text();
}

const OURS = /<script>\(self\["__signalbox"\].*?<\/script>/gs;
const ours = (html: string): string[] => html.match(OURS) ?? [];
const programOf = (script: string) => script.slice('<script>'.length, -'</script>'.length);
const without = (html: string): string => html.replace(OURS, '');

/** The flushes with `▲` in the place of each script. */
const marked = async (...flushes: string[]): Promise<string> =>
  (await sent(flushes)).replace(OURS, '▲');

const BODY = '<body class="a>b">';
const inHead = (text: string) => `<!doctype html><html><head>${text}</head>`;

test.each<[string, string]>([
  [
    'a script with data',
    '<script type="application/ld+json">{"a":"hi <body><img onerror=x>"}</script>',
  ],
  ['a script with a comment', '<script><!-- <script> </script> <body> --></script>'],
  ['a script whose comment ends at once', '<script><!--> <script></script>'],
  ['a style', '<style>a::after { content: "<body>" }</style>'],
  ['a comment', '<!-- <body> -- > <body> --!>'],
  ['an empty comment', '<!--><meta>'],
  ['a comment of a dash', '<!---><meta>'],
  ['a declaration', '<!body <body>'],
  ['an instruction', '<?xml <body ?>'],
  ['an end tag of no name', '</ <body>'],
  ['a CDATA section, which HTML does not know', '<![CDATA[ <body ]]>'],
  ['the title', '<title>a <body> b</title>'],
  ['a title in capitals', '<TITLE>a <body></titles> b</TiTlE >'],
  ['a quoted attribute', '<meta content="<body>">'],
  ['an attribute in single quotes', `<meta content='"<body>'>`],
  ['an attribute without quotes', '<meta content=<body class=x>'],
  ['a quote in the name of an attribute', '<meta a"b ="<body>" c=">">'],
  ['an attribute without a name', '<meta ="<body">'],
  ['a noscript', '<noscript><body></noscript>'],
  ['frames', '<noframes><body></noframes>'],
  ['a template', '<template><body><p></p><svg><style></template>'],
])(
  '[H5] the script of a document is placed behind the body tag with %s in the head',
  async (_, text) => {
    expect(await marked(`${inHead(text)}${BODY}<p>é</p>`)).toBe(`${inHead(text)}${BODY}▲<p>é</p>`);
  },
);

// `|` marks the end of a flush and the start of the next
test.each<[string, string]>([
  ['a textarea', '▲<div><textarea>a | <body> </textarea>▲<hr>'],
  ['a script', '▲<div><script>a | b</script>▲<hr>'],
  ['the end tag of a script', '▲<div><script>a</scr|ipt>▲<hr>'],
  ['a comment', '▲<div><!-- a -|->▲<hr>'],
  ['an attribute', '▲<div><p title="a | b">▲<hr>'],
  ['the name of a tag', '▲<div><te|xtarea>a</textarea>▲<hr>'],
  ['a template', '▲<div><template><i>|</i></template>▲<hr>'],
  ['a title of an SVG', '▲<div><svg><title><b>|</b></title></svg>▲<hr>'],
  ['a style of an SVG', '▲<div><svg><style><a>|</a></style></svg>▲<hr>'],
  ['CDATA of an SVG', '▲<div><svg><![CDATA[ <b> | ]]></svg>▲<hr>'],
  ['a formula', '▲<div><math><mi>x|</mi></math>▲<hr>'],
  ['a selection', '▲<div><select><option>|</select>▲<hr>'],
])(
  '[H5] a flush that begins inside of %s gets no script before the end of that part',
  async (_, expected) => {
    const flushes = expected.replaceAll('▲', '').split('|');
    expect(await marked(...flushes)).toBe(expected.replaceAll('|', ''));
  },
);

test('[H5] a flush that begins inside of text gets its script after the text', async () => {
  expect(await marked('<p>one &am', 'p; two</p>', '<p>three</p>')).toBe(
    '▲<p>one &amp; two▲</p>▲<p>three</p>',
  );
});

test.each([
  ['of a body without a tag', '<!doctype html><title>a</title>▲<p>b</p>'],
  ['of a body that begins with text', '<!doctype html><title>a</title>▲b<p>c</p>'],
  ['behind a space and a comment', ' <!-- a --><html><body>▲<p>b</p>'],
  ['of a fragment that begins with a comment', '▲<!--$--><p>a</p>'],
  ['of a fragment with a tag of a body in a script', '▲<div><script>"<body>"</script></div>'],
])('[H5] the script is placed before the content %s', async (_, expected) => {
  expect(await marked(expected.replace('▲', ''))).toBe(expected);
});

test('[H5] ambiguous markup gets no further scripts, and H4 is warned about', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const flushes = ['<div><svg><g></div>', '<script>"</svg><body>"</script>', '<p>a</p>'];
  expect(await marked(...flushes)).toBe(`▲${flushes.join('')}`);
  expect(warn.mock.calls.map(([text]) => /signalbox (\w+)/.exec(String(text))?.[1])).toEqual([
    'H4',
  ]);
});

const inTags = (names: string, ...forms: string[]): string[] =>
  names.split(' ').flatMap((name) => forms.map((form) => form.replace('x', name)));
const tokens = [
  ...'a &amp; < </ <! <? > " \' = / - -- --> <!-- <!--> --!> <![CDATA[ ]]> </x'.split(' '),
  ...inTags('p pre', '<x title="', '<x a=', '<x>', '</x>'),
  ...inTags('script style title textarea noscript iframe xmp', '<x>', '</x>', '<x a="', '</x'),
  ...inTags('svg math g foreignObject desc mi font annotation-xml mglyph', '<x>', '</x>', '<x/>'),
  ...inTags('div b p h1 template select option table td button br img', '<x>', '</x>'),
];
const beginnings = ['', '<!doctype html><html><head>', '<!doctype html><html><head></head><body>'];
const program = fc.record({
  begin: fc.constantFrom(...beginnings),
  flushes: fc.array(fc.string({ unit: fc.constantFrom(...tokens), maxLength: 8 }), {
    minLength: 1,
    maxLength: 6,
  }),
});

type Program = typeof program extends fc.Arbitrary<infer P> ? P : never;

test('[H5] for random HTML and flushes, a parser finds each script, and the rest of the page is unchanged', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  let scripts = 0;
  const holds = async ({ begin, flushes: [first = '', ...rest] }: Program) => {
    const flushes = [begin + first, ...rest];
    const html = await sent(flushes);
    expect(without(html)).toBe(flushes.join(''));
    // a fragment is part of a page
    const page = begin === '' ? '<!doctype html><body><div>' : '';
    const found = parseHtml(page + html);
    // a parser moves text out of a table, and has run the scripts before
    expect(found.programs.sort()).toEqual(ours(html).map(programOf).sort());
    expect(found.tree).toBe(parseHtml(page + flushes.join('')).tree);
    scripts += found.programs.length;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(program, { minLength: 40, maxLength: 40 }), async (programs) => {
      await Promise.all(programs.map(holds));
    }),
    { numRuns: 50 },
  );
  expect(scripts).toBeGreaterThan(1_000);
});
