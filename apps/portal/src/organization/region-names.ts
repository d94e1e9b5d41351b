import type { Region } from '@pdfnorm/contracts/schema/region'

export const regionNames: Record<Region, string> = {
  'ca-central-1': 'Canada',
  'us-east-2': 'United States',
  'eu-central-1': 'Europe',
}
