/** The characters of a simple font's codes, by code; empty where a code has none. */
export type Encoding = readonly string[]

/** The named encodings of ISO 32000-2, 9.6.5 and annex D, and those of the two standard symbol fonts. */
export function namedEncoding(name: string): Encoding | null {
  return encodings.get(name)?.() ?? null
}

/** What Windows calls code page 1252, with the three codes that PDF fills in (D.2, notes 3 to 6). */
function winAnsiEncoding(): Encoding {
  const characters = fromCodePage('windows-1252')
  for (let code = 0x80; code < 0xa0; code++) {
    if (/[\u0080-\u009f]/.test(characters[code] ?? '')) characters[code] = '\u2022'
  }
  characters[0x7f] = '\u2022'
  characters[0xa0] = ' '
  characters[0xad] = '-'
  return characters
}

function macRomanEncoding(): Encoding {
  const characters = fromCodePage('macintosh')
  characters[0xca] = ' '
  characters[0xdb] = '\u00a4'
  characters[0xf0] = ''
  return characters
}

function fromCodePage(label: string): string[] {
  const decoder = new TextDecoder(label)
  return Array.from({ length: 256 }, (_, code) =>
    code < 0x20 || code === 0x7f ? '' : decoder.decode(Uint8Array.of(code)),
  )
}

function fromRuns(runs: readonly (readonly [number, string])[]): () => Encoding {
  return once(() => {
    const characters = Array.from({ length: 256 }, () => '')
    for (const [first, text] of runs) {
      for (let at = 0; at < text.length; at++) characters[first + at] = text.charAt(at)
    }
    return characters
  })
}

function once(make: () => Encoding): () => Encoding {
  let made: Encoding | null = null
  return () => (made ??= make())
}

const standard = fromRuns([
  [
    0x20,
    ' !"#$%&\u2019()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_\u2018abcdefgh' +
      'ijklmnopqrstuvwxyz{|}~',
  ],
  [0xa1, "\u00a1\u00a2\u00a3\u2044\u00a5\u0192\u00a7\u00a4'\u201c\u00ab\u2039\u203a\ufb01\ufb02"],
  [0xb1, '\u2013\u2020\u2021\u00b7'],
  [0xb6, '\u00b6\u2022\u201a\u201e\u201d\u00bb\u2026\u2030'],
  [0xbf, '\u00bf'],
  [0xc1, '`\u00b4\u02c6\u02dc\u00af\u02d8\u02d9\u00a8'],
  [0xca, '\u02da\u00b8'],
  [0xcd, '\u02dd\u02db\u02c7\u2014'],
  [0xe1, '\u00c6'],
  [0xe3, '\u00aa'],
  [0xe8, '\u0141\u00d8\u0152\u00ba'],
  [0xf1, '\u00e6'],
  [0xf5, '\u0131'],
  [0xf8, '\u0142\u00f8\u0153\u00df'],
])

const macExpert = fromRuns([
  [
    0x20,
    ' \uf721\uf6f8\uf7a2\uf724\uf6e4\uf726\uf7b4\u207d\u207e\u2025\u2024,-.\u2044\uf730' +
      '\uf731\uf732\uf733\uf734\uf735\uf736\uf737\uf738\uf739:;',
  ],
  [0x3d, '\uf6de'],
  [0x3f, '\uf73f'],
  [0x44, '\uf7f0'],
  [0x47, '\u00bc\u00bd\u00be\u215b\u215c\u215d\u215e\u2153\u2154'],
  [0x56, '\ufb00\ufb01\ufb02\ufb03\ufb04\u208d'],
  [
    0x5d,
    '\u208e\uf6f6\uf6e5\uf760\uf761\uf762\uf763\uf764\uf765\uf766\uf767\uf768\uf769\uf76a' +
      '\uf76b\uf76c\uf76d\uf76e\uf76f\uf770\uf771\uf772\uf773\uf774\uf775\uf776\uf777\uf778' +
      '\uf779\uf77a\u20a1\uf6dc\uf6dd\uf6fe',
  ],
  [0x81, '\uf6e9\uf6e0'],
  [
    0x87,
    '\uf7e1\uf7e0\uf7e2\uf7e4\uf7e3\uf7e5\uf7e7\uf7e9\uf7e8\uf7ea\uf7eb\uf7ed\uf7ec\uf7ee' +
      '\uf7ef\uf7f1\uf7f3\uf7f2\uf7f4\uf7f6\uf7f5\uf7fa\uf7f9\uf7fb\uf7fc',
  ],
  [0xa1, '\u2078\u2084\u2083\u2086\u2088\u2087\uf6fd'],
  [0xa9, '\uf6df\u2082'],
  [0xac, '\uf7a8'],
  [0xae, '\uf6f5\uf6f0\u2085'],
  [0xb2, '\uf6e1\uf6e7\uf7fd'],
  [0xb6, '\uf6e3'],
  [0xb9, '\uf7fe'],
  [0xbb, '\u2089\u2080\uf6ff\uf7e6\uf7f8\uf7bf\u2081\uf6f9'],
  [0xc9, '\uf7b8'],
  [0xcf, '\uf6fa\u2012\uf6e6'],
  [0xd6, '\uf7a1'],
  [0xd8, '\uf7ff'],
  [0xda, '\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2079\u2070'],
  [0xe4, '\uf6ec\uf6f1\uf6f3'],
  [0xe9, '\uf6ed\uf6f2\uf6eb'],
  [0xf1, '\uf6ee\uf6fb\uf6f4\uf7af\uf6ea\u207f\uf6ef\uf6e2\uf6e8\uf6f7\uf6fc'],
])

const expert = fromRuns([
  [0x20, ' \uf721\uf6f8'],
  [
    0x24,
    '\uf724\uf6e4\uf726\uf7b4\u207d\u207e\u2025\u2024,-.\u2044\uf730\uf731\uf732\uf733' +
      '\uf734\uf735\uf736\uf737\uf738\uf739:;\uf6e2\uf6de\uf6e8\uf73f',
  ],
  [0x41, '\uf6e9\uf6ea\uf6e0\uf6eb\uf6ec'],
  [0x49, '\uf6ed'],
  [0x4c, '\uf6ee\uf6ef\u207f\uf6f0'],
  [0x52, '\uf6f1\uf6f2\uf6f3'],
  [0x56, '\ufb00\ufb01\ufb02\ufb03\ufb04\u208d'],
  [
    0x5d,
    '\u208e\uf6f6\uf6e6\uf760\uf761\uf762\uf763\uf764\uf765\uf766\uf767\uf768\uf769\uf76a' +
      '\uf76b\uf76c\uf76d\uf76e\uf76f\uf770\uf771\uf772\uf773\uf774\uf775\uf776\uf777\uf778' +
      '\uf779\uf77a\u20a1\uf6dc\uf6dd\uf6fe',
  ],
  [0xa1, '\uf7a1\uf7a2\uf6f9'],
  [0xa6, '\uf6fd\uf6ff\uf7a8\uf6f4\uf6f5'],
  [0xac, '\uf6f7'],
  [0xaf, '\uf7af'],
  [0xb2, '\u2012\uf6e5'],
  [0xb6, '\uf6fb\uf6fc\uf7b8'],
  [0xbc, '\u00bc\u00bd\u00be\uf7bf\u215b\u215c\u215d\u215e\u2153\u2154'],
  [
    0xc8,
    '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u2080\u2081\u2082\u2083' +
      '\u2084\u2085\u2086\u2087\u2088\u2089\uf6df\uf6e3\uf6e7\uf6e1\uf7e0\uf7e1\uf7e2\uf7e3' +
      '\uf7e4\uf7e5\uf7e6\uf7e7\uf7e8\uf7e9\uf7ea\uf7eb\uf7ec\uf7ed\uf7ee\uf7ef\uf7f0\uf7f1' +
      '\uf7f2\uf7f3\uf7f4\uf7f5\uf7f6\uf6fa\uf7f8\uf7f9\uf7fa\uf7fb\uf7fc\uf7fd\uf7fe\uf7ff',
  ],
])

const expertSubset = fromRuns([
  [0x20, ' '],
  [0x24, '\uf724\uf6e4'],
  [
    0x28,
    '\u207d\u207e\u2025\u2024,-.\u2044\uf730\uf731\uf732\uf733\uf734\uf735\uf736\uf737' +
      '\uf738\uf739:;\uf6e2\uf6de\uf6e8',
  ],
  [0x41, '\uf6e9\uf6ea\uf6e0\uf6eb\uf6ec'],
  [0x49, '\uf6ed'],
  [0x4c, '\uf6ee\uf6ef\u207f\uf6f0'],
  [0x52, '\uf6f1\uf6f2\uf6f3'],
  [0x56, '\ufb00\ufb01\ufb02\ufb03\ufb04\u208d'],
  [0x5d, '\u208e'],
  [0x5f, '\uf6e6'],
  [0x7c, '\uf6dc\uf6dd'],
  [0xa2, '\uf7a2'],
  [0xb2, '\u2012\uf6e5'],
  [0xbc, '\u00bc\u00bd\u00be'],
  [0xc0, '\u215b\u215c\u215d\u215e\u2153\u2154'],
  [0xc8, '\u2070\u00b9\u00b2'],
  [
    0xcc,
    '\u2074\u2075\u2076\u2077\u2078\u2079\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087' +
      '\u2088\u2089\uf6df\uf6e3\uf6e7\uf6e1',
  ],
])

const symbol = fromRuns([
  [
    0x20,
    ' !\u2200#\u2203%&\u220b()\u2217+,\u2212./0123456789:;<=>?\u2245\u0391\u0392\u03a7' +
      '\u2206\u0395\u03a6\u0393\u0397\u0399\u03d1\u039a\u039b\u039c\u039d\u039f\u03a0\u0398' +
      '\u03a1\u03a3\u03a4\u03a5\u03c2\u2126\u039e\u03a8\u0396[\u2234]\u22a5_\uf8e5\u03b1' +
      '\u03b2\u03c7\u03b4\u03b5\u03c6\u03b3\u03b7\u03b9\u03d5\u03ba\u03bb\u00b5\u03bd\u03bf' +
      '\u03c0\u03b8\u03c1\u03c3\u03c4\u03c5\u03d6\u03c9\u03be\u03c8\u03b6{|}\u223c',
  ],
  [
    0xa0,
    '\u20ac\u03d2\u2032\u2264\u2044\u221e\u0192\u2663\u2666\u2665\u2660\u2194\u2190\u2191' +
      '\u2192\u2193\u00b0\u00b1\u2033\u2265\u00d7\u221d\u2202\u2022\u00f7\u2260\u2261\u2248' +
      '\u2026\uf8e6\uf8e7\u21b5\u2135\u2111\u211c\u2118\u2297\u2295\u2205\u2229\u222a\u2283' +
      '\u2287\u2284\u2282\u2286\u2208\u2209\u2220\u2207\uf6da\uf6d9\uf6db\u220f\u221a\u22c5' +
      '\u00ac\u2227\u2228\u21d4\u21d0\u21d1\u21d2\u21d3\u25ca\u2329\uf8e8\uf8e9\uf8ea\u2211' +
      '\uf8eb\uf8ec\uf8ed\uf8ee\uf8ef\uf8f0\uf8f1\uf8f2\uf8f3\uf8f4',
  ],
  [0xf1, '\u232a\u222b\u2320\uf8f5\u2321\uf8f6\uf8f7\uf8f8\uf8f9\uf8fa\uf8fb\uf8fc\uf8fd\uf8fe'],
])

const zapfDingbats = fromRuns([
  [
    0x20,
    ' \u2701\u2702\u2703\u2704\u260e\u2706\u2707\u2708\u2709\u261b\u261e\u270c\u270d' +
      '\u270e\u270f\u2710\u2711\u2712\u2713\u2714\u2715\u2716\u2717\u2718\u2719\u271a\u271b' +
      '\u271c\u271d\u271e\u271f\u2720\u2721\u2722\u2723\u2724\u2725\u2726\u2727\u2605\u2729' +
      '\u272a\u272b\u272c\u272d\u272e\u272f\u2730\u2731\u2732\u2733\u2734\u2735\u2736\u2737' +
      '\u2738\u2739\u273a\u273b\u273c\u273d\u273e\u273f\u2740\u2741\u2742\u2743\u2744\u2745' +
      '\u2746\u2747\u2748\u2749\u274a\u274b\u25cf\u274d\u25a0\u274f\u2750\u2751\u2752\u25b2' +
      '\u25bc\u25c6\u2756\u25d7\u2758\u2759\u275a\u275b\u275c\u275d\u275e',
  ],
  [0x80, '\uf8d7\uf8d8\uf8d9\uf8da\uf8db\uf8dc\uf8dd\uf8de\uf8df\uf8e0\uf8e1\uf8e2\uf8e3\uf8e4'],
  [
    0xa1,
    '\u2761\u2762\u2763\u2764\u2765\u2766\u2767\u2663\u2666\u2665\u2660\u2460\u2461\u2462' +
      '\u2463\u2464\u2465\u2466\u2467\u2468\u2469\u2776\u2777\u2778\u2779\u277a\u277b\u277c' +
      '\u277d\u277e\u277f\u2780\u2781\u2782\u2783\u2784\u2785\u2786\u2787\u2788\u2789\u278a' +
      '\u278b\u278c\u278d\u278e\u278f\u2790\u2791\u2792\u2793\u2794\u2192\u2194\u2195\u2798' +
      '\u2799\u279a\u279b\u279c\u279d\u279e\u279f\u27a0\u27a1\u27a2\u27a3\u27a4\u27a5\u27a6' +
      '\u27a7\u27a8\u27a9\u27aa\u27ab\u27ac\u27ad\u27ae\u27af',
  ],
  [0xf1, '\u27b1\u27b2\u27b3\u27b4\u27b5\u27b6\u27b7\u27b8\u27b9\u27ba\u27bb\u27bc\u27bd\u27be'],
])

const encodings: ReadonlyMap<string, () => Encoding> = new Map([
  ['StandardEncoding', standard],
  ['WinAnsiEncoding', once(winAnsiEncoding)],
  ['MacRomanEncoding', once(macRomanEncoding)],
  ['MacExpertEncoding', macExpert],
  // Of Compact Font Format programs (Adobe Technical Note 5176, appendix B).
  ['ExpertEncoding', expert],
  ['ExpertSubsetEncoding', expertSubset],
  ['Symbol', symbol],
  ['ZapfDingbats', zapfDingbats],
])
