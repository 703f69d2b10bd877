import type { DemoFile } from './content.ts';

export const brightwaterDocuments: readonly DemoFile[] = [
  {
    name: 'Returns and warranty.md',
    text: `# Returns and warranty

## Returns

Customers can return unworn products within 60 days. The label is free within the European Union; from Norway, Switzerland and the United Kingdom the customer pays the postage.

Worn boots can be returned within 30 days if they do not fit. They are cleaned, checked and sold in the second-hand shop.

## Warranty

Tents and rucksacks have a warranty of five years, jackets of three years. A broken tent pole is replaced free of charge within the warranty, also after an accident, once for each tent.

## Repairs

Repairs take ten working days. Customers pay 15 EUR for a zip and 25 EUR for a seam outside of the warranty.
`,
  },
  {
    name: 'Leave and working time.md',
    text: `# Leave and working time

## Leave

Everybody has 28 days of paid leave a year. Up to five days can be carried over; they have to be taken by the end of March.

## Parental leave

Parental leave is 26 weeks with full pay. Tell your manager twelve weeks before it begins.

## Working time

The core hours are 10:00 to 15:00. Up to three days a week can be worked from home.
`,
  },
  {
    name: 'Travel and expenses.md',
    text: `# Travel and expenses

## Hotels

A night costs at most 140 EUR, in London, Oslo and Zurich at most 190 EUR.

## Trains and flights

Journeys below six hours are made by train. Flights need the approval of a manager.

## Expenses

Hand in receipts within 30 days, with the number of the project. Meals are refunded up to 38 EUR a day.
`,
  },
  {
    name: 'Shipping.md',
    text: `# Shipping

## Within the European Union

Parcels up to 30 kg arrive within three working days. Orders placed by 12:00 leave on the same day.

## Norway, Switzerland and the United Kingdom

Parcels up to 20 kg arrive within six working days. Customs papers are printed with the label. Gas canisters and repair glue cannot be sent.

## Lost parcels

A parcel counts as lost after ten working days. The customer gets a new one or the money back, as they like.
`,
  },
  {
    name: 'Product care.html',
    text: `<!doctype html><title>Product care</title><h1>Product care</h1>
<h2>Tents</h2><p>Dry a tent before it is packed away. Wash it by hand with lukewarm water and without soap.</p>
<h2>Rain jackets</h2><p>Wash a rain jacket at 30 degrees, twice a year at least. Put it into the dryer for 20 minutes at a low heat: that brings the water repellency back.</p>
<h2>Boots</h2><p>Brush boots after each trip and wax them once a month. Never dry them on a radiator.</p>`,
  },
  {
    name: 'Suppliers.csv',
    text: `supplier,country,products,lead_time_weeks,contact
Fjordvev,Norway,tent fabric,9,Ingrid Solheim
Alpina Zip,Italy,zips and buckles,4,Paolo Ferri
Teixeira & Filhos,Portugal,fleece,6,Rita Teixeira
Lakeland Poles,United Kingdom,tent poles,5,Hugh Arkwright
`,
  },
];
