import {
  IconBuilding,
  IconCertificate,
  IconCreditCard,
  IconFileUpload,
  IconFiles,
  IconKey,
  IconLayoutDashboard,
  IconShieldLock,
  IconStack2,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'

/** What the navigation leads to, in groups. */
export const areas = [
  {
    name: 'Documents',
    areas: [
      { to: '/', label: 'Overview', Icon: IconLayoutDashboard },
      { to: '/playground', label: 'Playground', Icon: IconFileUpload },
      { to: '/submissions', label: 'Submissions', Icon: IconFiles },
      { to: '/batches', label: 'Batches', Icon: IconStack2 },
      { to: '/certificate-check', label: 'Certificate check', Icon: IconCertificate },
    ],
  },
  {
    name: 'Programs',
    areas: [
      { to: '/api-keys', label: 'API keys', Icon: IconKey },
      { to: '/webhooks', label: 'Webhooks', Icon: IconWebhook },
    ],
  },
  {
    name: 'Organization',
    areas: [
      { to: '/team', label: 'Team', Icon: IconUsers },
      { to: '/organization', label: 'Settings', Icon: IconBuilding },
      { to: '/billing', label: 'Billing', Icon: IconCreditCard },
      { to: '/data-protection', label: 'Data protection', Icon: IconShieldLock },
    ],
  },
] as const
