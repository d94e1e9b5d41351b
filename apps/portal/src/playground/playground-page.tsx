import { Page } from '../page/page.tsx'

export function PlaygroundPage() {
  return <Page title="Playground" />
}
