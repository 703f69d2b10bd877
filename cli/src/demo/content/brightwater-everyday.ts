import type { DemoOrganisation } from './content.ts';

export const brightwaterEveryday: DemoOrganisation['everyday'] = [
  [
    'A customer wore her boots twice and they are too small. Can she still return them?',
    'Yes. Worn boots can be returned **within 30 days** if they do not fit [§Returns]. They are cleaned and sold in the second-hand shop, so tell her not to throw the box away.',
  ],
  [
    'How many days of leave can I carry over into next year?',
    'Up to **five days**. They have to be taken by the end of March [§Leave].',
  ],
  [
    'What is the limit for a hotel in Oslo?',
    'At most **190 EUR** a night, as in London and Zurich. Everywhere else it is 140 EUR [§Hotels].',
  ],
  [
    'How long does a parcel to Norway take, and what can we not send?',
    'It arrives **within six working days**. Gas canisters and repair glue cannot be sent [§Norway, Switzerland and the United Kingdom].',
  ],
  [
    'Make this subject line shorter: "Information about the upcoming maintenance of our ordering system on Sunday"',
    '**Ordering system offline on Sunday**\n\nIf there is room for the time: *Ordering offline, Sunday 6:00 to 9:00*.',
  ],
  [
    'A customer asks how to wash his Skerry jacket.',
    'At **30 degrees**, at least twice a year, then 20 minutes in the dryer at a low heat. That brings the water repellency back [§Rain jackets].',
  ],
  [
    'Write an agenda for a 15-minute stand-up with six people',
    '1. **Blockers** (5 min): what stops you today\n2. **Handovers** (5 min): who waits for whom\n3. **Dates** (3 min): what is due this week\n4. **Parking lot** (2 min): what needs a meeting of its own',
  ],
  [
    'The tracking has not moved for eleven working days. What do I offer the customer?',
    'After **ten working days** a parcel counts as lost: offer a new one or the money back, as the customer likes [§Lost parcels].',
  ],
  [
    'Which formula gives me the margin in percent if the price is in B2 and the cost in C2?',
    '```\n=(B2-C2)/B2\n```\n\nFormat the cell as a percentage. With a price of 149 and a cost of 62 it shows **58.4 %**.',
  ],
  [
    'Write a polite reminder to a supplier whose delivery is a week late',
    'Subject: Delivery 4471, due on Monday\n\nDear Paolo,\n\nthe zips of order 4471 were due last Monday and have not arrived. Could you tell us by tomorrow when they leave? Our production of the Fell 35 waits for them.\n\nKind regards',
  ],
  [
    'Is a broken pole covered after a storm?',
    'Yes, once for each tent: a broken pole is replaced free of charge within the warranty of five years, **also after an accident** [§Warranty].',
  ],
  [
    'Do I have to take the train from Amsterdam to Hamburg?',
    'It takes about five and a half hours, and journeys **below six hours are made by train** [§Trains and flights]. A flight needs the approval of your manager.',
  ],
];
