import { Notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.css'

/** Where announce() shows what it is told (page/announce.ts). */
// oxlint-disable-next-line import/no-default-export -- React loads lazily what is exported by default
export default function Announcements() {
  return <Notifications position="bottom-right" />
}
