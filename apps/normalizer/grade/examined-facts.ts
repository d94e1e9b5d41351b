/**
 * Facts of the manifest that were examined and found wrong, or that it leaves open and others decide. The truth is
 * graded in their place; the report names them.
 */
export const examinedFacts: readonly ExaminedFact[] = [
  ...[
    'embedded-files/899edb271684_prefilled_f1040.pdf',
    'xfa/c0ce611fedd2_with_xfa_fields.pdf',
  ].map((file): ExaminedFact => ({
    file,
    fact: 'integrity',
    truth: 'NONE',
    why: 'its only signature dictionary grants usage rights, which sign nothing (ISO 32000-2, 12.8.6.3)',
  })),
  {
    file: 'signed-unchecked/1fe9051d9ac1_signed_verified.pdf',
    fact: 'signature 5',
    truth: true,
    why: 'the brackets of /Contents are signed too, which covers more than it must (trust, 2.3)',
  },
  ...strangeCoverage(
    'signed-then-updated/20561be3ee56_tail-uncovered.pdf',
    'the range ends within the revision that it signs: 103 bytes of that are signed by nobody',
  ),
  ...strangeCoverage(
    'signed-then-updated/9b5dadd12b92_one-byterange.pdf',
    'the byte range is one pair of numbers, so nothing behind /Contents is signed',
  ),
  ...strangeCoverage(
    'signed-then-updated/73dc0c19842d_signature-gap-too-big.pdf',
    'the gap is wider than /Contents',
  ),
  ...strangeCoverage(
    'signed-then-updated/d1868dc15529_weird-byterange.pdf',
    'the gap is not at /Contents',
  ),
  ...(['integrity', 'signature 60', 'tampered'] as const).map((fact): ExaminedFact => ({
    file: 'signed-then-updated/1222ac6dd25d_test-with-vri.pdf',
    fact,
    truth: fact === 'integrity' ? 'SOME_INVALID' : fact === 'tampered',
    why: 'the signature locks all fields, and a later update gives one another value',
  })),
  {
    file: 'signed-then-updated/cd2036531057_pades-signed-annot-added.pdf',
    fact: 'alarm',
    truth: true,
    why: 'text boxes were put onto a page that was signed without leave to annotate: rule I1',
  },
  {
    file: 'incremental-updates/378e1e7967af_Dual-startxref.pdf',
    fact: 'alarm',
    truth: true,
    why: 'it is made to show a red text in readers that go forward and a blue one in the others: rule S3',
  },
  {
    file: 'signed-unchecked/110d1b1d18bb_with-placeholder.pdf',
    fact: 'alarm',
    truth: true,
    why: '/Contents is a placeholder of zeros that nobody filled in: rule O3',
  },
  {
    file: 'pdfa-fail/4455aceed6d8_veraPDF_test_suite_6-1-6-2-t01-fail-b.pdf',
    fact: 'alarm',
    truth: true,
    why: 'it is made with a filter that does not exist, and readers differ in what they show of it: rule S3',
  },
  ...[
    '7af3e508c216_veraPDF_test_suite_6-1-2-t01-fail-c',
    '852f33381e62_veraPDF_test_suite_6-1-2-t01-fail-d',
  ].map((name): ExaminedFact => ({
    file: `pdfa-fail/${name}.pdf`,
    fact: 'alarm',
    truth: true,
    why: 'it is made with a header that names a version which does not exist',
  })),
]

/** pyHanko's own samples of byte ranges that leave room for an attack (trust, 1.7). */
function strangeCoverage(file: string, why: string): ExaminedFact[] {
  return [
    { file, fact: 'integrity', truth: 'SOME_INVALID', why },
    { file, fact: 'signature 8', truth: false, why },
    { file, fact: 'tampered', truth: true, why },
  ]
}

interface ExaminedFact {
  /** As the manifest names it. */
  readonly file: string
  /** `integrity`, `signature <object number>`, `tampered`, or `alarm`: whether an alarm is right all the same. */
  readonly fact: string
  /** A status of all signatures, the validity of one, or yes and no. */
  readonly truth: string | boolean
  readonly why: string
}
