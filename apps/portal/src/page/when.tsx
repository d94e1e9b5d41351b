/** A moment in the reader's own form and time zone; the exact one is in its title. */
export function When({ at, withTime = true }: { at: string; withTime?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {(withTime ? moment : day).format(new Date(at))}
    </time>
  )
}

const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
