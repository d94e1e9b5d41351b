import { exitCodeTexts } from './exit-codes.ts'

export function usage(): string {
  const codes = Object.entries(exitCodeTexts).map(
    ([code, text]) => `  ${code.padStart(3)}  ${text}`,
  )
  return `${text}\n\nExit codes; of several files the gravest is told\n${codes.join('\n')}`
}

const text = `pdfnorm: normalize PDFs, and verify that a file is what was normalized

pdfnorm normalize <file>…            - is standard input
  -o, --output <file>                where to write the one file; - is standard output
  -d, --output-dir <folder>          where to write many, under their own names
                                     (neither: in.pdf becomes in.normalized.pdf)
  --certificate                      also write <output>.jws
  --no-linearize                     do not linearize
  --remove-annotations               remove all annotations
  --signed-pdf-policy <policy>       reject (default), strip or preserve
  --pdfa-policy <policy>             preserve (default) or normalize_anyway
  --region <region>                  ca-central-1, us-east-2 or eu-central-1
  --batch-id <id>                    belong to this batch
  --webhook-url <url>                where to announce the end
  --idempotency-key <key>            go on with what was sent with this key before
  --concurrency <n>                  files at a time (4)
  --timeout <seconds>                how long to wait for each (600)

pdfnorm verify <file>…
  -c, --certificate <file>           its certificate (<file>.jws; else asked of the service)
  -a, --attestation <file>           its attestation
  -k, --keys <file>                  the published keys: then nothing is sent at all

pdfnorm listen                       tell the ends of submissions as they come, until Ctrl-C
  -f, --forward-to <url>             and send each there, signed as a webhook is
  --secret <whsec_…>                 what to sign with (a new one, which is told)
  --since <time>                     begin with those since then (now)
  --interval <seconds>               how often to look (2)

pdfnorm login [--base-url <url>]     keep the address and a key, which is asked for or read from a pipe
pdfnorm logout                       forget them

All commands
  --base-url <url>                   the service (PDFNORM_BASE_URL)
  --json                             one JSON object a line
  -q, --quiet                        tell only what went wrong

PDFNORM_API_KEY and PDFNORM_BASE_URL of the environment win over what login keeps.`
