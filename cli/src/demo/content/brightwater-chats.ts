import type { DemoChat } from './content.ts';

export const brightwaterChats: readonly DemoChat[] = [
  {
    title: 'Boots that do not fit',
    by: 'robin',
    daysAgo: 0,
    chatbot: 'Customer care',
    isPinned: true,
    turns: [
      {
        ask: 'Can a customer return worn boots that do not fit? She bought them three weeks ago and wore them on one walk.',
        answer: 'Yes, worn boots can be returned within 30 days if they do not fit [§Returns].',
        again: `She can return them. Worn boots are taken back **within 30 days** if they do not fit [§Returns], and three weeks are within that.

| | Unworn | Worn, do not fit |
|---|---|---|
| Time | 60 days | 30 days |
| Label | free in the EU | free in the EU |
| What happens | back into stock | second-hand shop |

Ask her which size she needs instead: the exchange leaves the warehouse on the same day if she answers by 12:00 [§Within the European Union].`,
      },
    ],
  },
  {
    title: 'Reply to Anna',
    by: 'robin',
    daysAgo: 1,
    chatbot: 'Customer care',
    turns: [
      {
        ask: 'Draft a reply to Anna in Ghent: she can send her worn boots back.',
        answer: `Subject: Your boots, one size up

Dear Anna,

I'm sorry that the boots pinch. You can send them back free of charge, although you have worn them: the label is attached, and any parcel shop takes it.

Tell me which size you would like instead. If you answer by 12:00, the new pair leaves on the same day.

Kind regards  
Robin`,
        again: `Subject: Let's find boots that fit

Dear Anna,

boots that pinch are no good on a walk, so please send them back. The label in this email makes it free, also for worn boots.

Would you like to try a size larger, or a wider last? The **Fell Wide** is made for a broader foot. I'll send the pair you choose on the same day if I hear from you by 12:00.

Kind regards  
Robin`,
      },
    ],
  },
  {
    title: 'Product page for the Tarn 2',
    by: 'robin',
    daysAgo: 0,
    project: 'Autumn range',
    chatbot: 'Product writer',
    turns: [
      {
        ask: 'Write the product page for the Tarn 2. At most 120 words.',
        answer: `## Tarn 2

A tent for two people that weighs **1,890 g** with all pegs. It stands in four minutes: two poles, eight clips, no sleeves.

- Floor: 215 × 130 cm, two doors
- Water column: 3,000 mm fly, 5,000 mm floor
- Packed: 42 × 14 cm, fits across a 35-litre rucksack

The fly is made of recycled nylon from Fjordvev in Norway. Each pole section can be replaced without tools.

**Care**

1. Dry it before you pack it away.
2. Wash it by hand with lukewarm water, without soap.
3. Store it loose, not in its bag.`,
        edited: {
          ask: 'Write the product page for the Tarn 2. At most 60 words, for the printed catalogue.',
          answer: `**Tarn 2**, 329 EUR

Two people, 1,890 g, up in four minutes. Two doors, a floor of 215 × 130 cm and a water column of 5,000 mm keep you dry when the weather turns. Recycled nylon from Norway, poles that you can repair on the way.

*Dry it before packing. Hand wash, no soap.*`,
        },
      },
    ],
  },
  {
    title: 'Orders by country, October',
    by: 'robin',
    daysAgo: 1,
    turns: [
      {
        ask: 'Which country grew most, and what stands out?',
        file: {
          name: 'orders-by-country.csv',
          text: 'country,september,october\nGermany,1840,2105\nNetherlands,960,1012\nNorway,410,655\nUnited Kingdom,1220,1180\nSwitzerland,300,322\nFrance,745,801\n',
        },
        answer: `**Norway** grew most: from 410 to 655 orders, which is **+60 %**. In total there were 6,075 orders after 5,475, which is +11 %.

| Country | September | October | Change |
|---|---:|---:|---:|
| Norway | 410 | 655 | +60 % |
| Germany | 1,840 | 2,105 | +14 % |
| France | 745 | 801 | +8 % |
| Switzerland | 300 | 322 | +7 % |
| Netherlands | 960 | 1,012 | +5 % |
| United Kingdom | 1,220 | 1,180 | −3 % |

Two things stand out: the United Kingdom is the only country that fell, and Norway has overtaken nobody yet but brings 41 % of the growth outside of Germany.`,
      },
      {
        ask: 'How do I get the change column in Python?',
        answer: `\`\`\`python
import pandas as pd

orders = pd.read_csv("orders-by-country.csv")
orders["change"] = orders["october"] / orders["september"] - 1
print(orders.sort_values("change", ascending=False).to_string(
    index=False, formatters={"change": "{:+.0%}".format}))
\`\`\`

\`{:+.0%}\` writes the sign and rounds to whole percent.`,
        rated: { rating: 'up' },
      },
    ],
  },
  {
    title: 'Plan for the warehouse move',
    by: 'robin',
    daysAgo: 3,
    project: 'Warehouse move',
    isUnread: true,
    turns: [
      {
        ask: 'Break the move into steps with dates. We open on 1 March and can close for three days.',
        answer: `| Step | Until | Who |
|---|---|---|
| Rent racks and forklifts | 10 January | Niall Kerr |
| Count the stock, sell what is left over | 31 January | Marta Kowal |
| Move slow sellers, shop stays open | 14 February | Hana Sato |
| Tell customers about the three days | 17 February | Grace Oduya |
| Close, move the rest | 26 to 28 February | everybody |
| Open, first parcels | 1 March | Niall Kerr |

The critical step is the count: if it slips by a week, the slow sellers move while the shop is busiest.`,
      },
    ],
  },
  {
    title: 'Parental leave: who to tell',
    by: 'robin',
    daysAgo: 5,
    chatbot: 'Policy desk',
    turns: [
      {
        ask: 'How long is parental leave, and when does somebody have to tell us?',
        answer:
          'Parental leave is **26 weeks with full pay**. People tell their manager **twelve weeks** before it begins [§Parental leave].',
        rated: { rating: 'up' },
      },
    ],
  },
  {
    title: 'Name for the fleece',
    by: 'robin',
    daysAgo: 8,
    project: 'Autumn range',
    chatbot: 'Product writer',
    turns: [
      {
        ask: 'We need a second name for the Loam fleece in case the trademark search fails. Short, a landscape, easy in German.',
        answer: `- **Heath**: four letters sound, one syllable; in German people say "Hies"
- **Moor**: the same word in German, warm and dark like the fabric
- **Dune**: "Düne" in German, suggests sand more than wool
- **Combe**: rare, but nobody outside of England knows how to say it

I would take **Moor** first and **Dune** second.`,
      },
    ],
  },
  {
    title: 'Sizes of the Skerry, in a table',
    by: 'robin',
    daysAgo: 2,
    project: 'Autumn range',
    chatbot: 'Product writer',
    turns: [
      {
        ask: 'Put the chest sizes of the Skerry into a table: S 88 to 94 cm, then six centimetres more for each size, up to XL.',
        answer: `| Size | Chest, cm |
|---|---|
| S | 88 to 94 |
| M | 94 to 100 |
| L | 100 to 106 |
| XL | 106 to 112 |`,
      },
    ],
  },
  {
    title: 'Announcing the range by email',
    by: 'robin',
    daysAgo: 4,
    project: 'Autumn range',
    chatbot: 'Product writer',
    turns: [
      {
        ask: 'Write the email that announces the four products to our customers. Two sentences for each.',
        answer: `Subject: Four things for wet weeks

**Tarn 2**, 329 EUR: two people, 1,890 g. It stands in four minutes.

**Fell 35**, 149 EUR: 1,240 g and room for three days. The back is adjusted without tools.

**Skerry**, 189 EUR: 415 g with a hood that fits over a helmet. From 16 September.

**Loam**, 79 EUR: a fleece of 360 g from Portugal. From 16 September.`,
      },
    ],
  },
  {
    title: 'Answering a bad review',
    by: 'robin',
    daysAgo: 12,
    chatbot: 'Customer care',
    turns: [
      {
        ask: 'A customer writes that his jacket leaks after one winter. How do I answer in public?',
        answer: `> Thank you for telling us, Peter. A jacket that leaks after one winter is covered by our three-year warranty. We've written to you with a label. If a wash and 20 minutes in the dryer don't bring the water repellency back, you get a new one.

It names the warranty [§Warranty], offers the first thing to try [§Rain jackets] and doesn't argue.`,
      },
    ],
  },
  {
    title: 'Reply to a customer in Ghent',
    by: 'grace.oduya',
    daysAgo: 6,
    project: 'Care answers',
    chatbot: 'Customer care',
    turns: [
      {
        ask: 'How much is a new zip outside of the warranty?',
        answer: 'A zip costs **20 EUR**, and the repair takes ten working days [§Repairs].',
        rated: {
          rating: 'down',
          reasons: ['wrong-facts'],
          comment: 'The handbook says 15 EUR for a zip. 20 EUR was the old price.',
          reply: 'Thank you, Grace. The old price list was still among the documents; it is gone now.',
        },
      },
    ],
  },
  {
    title: 'Refund after 70 days',
    by: 'ben.carver',
    daysAgo: 2,
    chatbot: 'Customer care',
    turns: [
      {
        ask: 'Can I refund an unworn jacket after 70 days?',
        answer: 'Unworn products can be returned within **60 days** [§Returns]. After that you can offer a voucher.',
        rated: {
          rating: 'down',
          reasons: ['not-in-source'],
          comment: 'The voucher is not in the handbook. Are we allowed to offer one?',
        },
      },
    ],
  },
  {
    title: 'Wording of the gas canister notice',
    by: 'wren.foster',
    daysAgo: 4,
    chatbot: 'Customer care',
    turns: [
      {
        ask: 'Write one sentence for the shop: why gas canisters cannot be sent to the United Kingdom',
        answer:
          'Gas canisters are dangerous goods that our carrier does not take across customs borders, so this item can only be sent within the European Union [§Norway, Switzerland and the United Kingdom].',
        rated: { rating: 'down', reasons: ['too-long'], comment: 'Too long for the cart. Ten words would be enough.' },
      },
    ],
  },
];
