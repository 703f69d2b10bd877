import type { DemoChat, DemoOrganisation } from './content.ts';

export const nordhafenChats: readonly DemoChat[] = [
  {
    title: 'Beschwerde zum Zählerwechsel',
    by: 'robin',
    daysAgo: 2,
    chatbot: 'Kundenservice',
    turns: [
      {
        ask: 'Ein Kunde beschwert sich, weil er vom Zählerwechsel erst drei Tage vorher erfahren hat. Was antworte ich?',
        answer: `Betreff: Ihr Zählerwechsel am Donnerstag

Guten Tag Herr Brandt,

Sie haben recht: Wir kündigen einen Zählerwechsel **mindestens 14 Tage vorher** an [§Ankündigung]. Das haben wir versäumt, und das tut uns leid.

Den Termin können Sie verschieben. Nennen Sie uns einfach einen Tag, der Ihnen passt. Der Wechsel dauert etwa 30 Minuten.

Mit freundlichen Grüßen  
Stadtwerke Nordhafen`,
        rated: { rating: 'up' },
      },
      {
        ask: 'Gib mir die drei wichtigsten Punkte für das Telefon.',
        answer: `1. **Zugeben:** Die Ankündigung kam zu spät.
2. **Anbieten:** Der Termin lässt sich einmal verschieben [§Ankündigung].
3. **Sagen, was passiert:** 30 Minuten ohne Strom, der alte Stand wird fotografiert.`,
      },
    ],
  },
  {
    title: 'Bauabschnitte im Hafenviertel',
    by: 'aylin.yildiz',
    daysAgo: 4,
    project: 'Glasfaser Hafenviertel',
    turns: [
      {
        ask: 'Teile 1.240 Haushalte in drei Bauabschnitte auf. Kein Abschnitt soll länger als acht Wochen dauern; wir schaffen 60 Haushalte in der Woche.',
        answer: `| Abschnitt | Straßen | Haushalte | Wochen |
|---|---|---:|---:|
| 1 | Speicherstraße, Am Kai | 430 | 7,2 |
| 2 | Lotsenweg, Reepschlägerstraße | 410 | 6,8 |
| 3 | Werftallee, Fischmarkt | 400 | 6,7 |

Zusammen sind es 20,7 Wochen. Bei Baubeginn am 4. Mai endet der letzte Abschnitt in der Woche vom **21. September**.`,
      },
    ],
  },
  {
    title: 'Ruhezeit nach einem Einsatz',
    by: 'henning.paulsen',
    daysAgo: 7,
    chatbot: 'Betriebshandbuch',
    turns: [
      {
        ask: 'Ich hatte um 1:30 Uhr einen Einsatz. Wann fange ich am nächsten Tag an?',
        answer:
          'Nach einem Einsatz nach 23:00 Uhr beginnt der nächste Arbeitstag erst **nach elf Stunden Ruhe** [§Einsatz]. Endete Ihr Einsatz um 2:30 Uhr, fangen Sie um 13:30 Uhr an.',
        rated: { rating: 'down', reasons: ['language'], comment: 'Bitte mit „du“, wie im ganzen Haus.' },
      },
    ],
  },
];

export const nordhafenEveryday: DemoOrganisation['everyday'] = [
  [
    'Wie hoch ist die Pauschale für den Bereitschaftsdienst am Wochenende?',
    '**62 EUR** am Tag; von Montag bis Freitag sind es 38 EUR [§Vergütung].',
  ],
  ['Wie lange ist beim Zählerwechsel der Strom weg?', 'Etwa **30 Minuten** [§Ablauf].'],
  [
    'Kürze den Betreff: „Wichtige Information zu der geplanten Unterbrechung der Wasserversorgung in Ihrer Straße“',
    '**Donnerstag kein Wasser in Ihrer Straße**',
  ],
  ['Bis wann muss ich Belege einreichen?', 'Innerhalb von **sechs Wochen** nach der Reise [§Reisekosten].'],
  [
    'Fasse zusammen: Trafostation 12 wird im April ersetzt. Netzbetrieb prüft die Zufahrt. Einkauf fragt drei Angebote an, bis Ende Januar.',
    '- Trafostation 12: Ersatz im **April**\n- Zufahrt: prüft der Netzbetrieb\n- Drei Angebote: Einkauf, bis **Ende Januar**',
  ],
  [
    'Schreibe eine Abfrage für alle offenen Termine der nächsten 14 Tage',
    "```sql\nSELECT kunde, strasse, termin\nFROM zaehlerwechsel\nWHERE status = 'offen'\n  AND termin BETWEEN current_date AND current_date + 14\nORDER BY termin;\n```",
  ],
  [
    'Erkläre „Netzentgelt“ in einem Satz für eine Kundin.',
    'Das Netzentgelt ist der Teil Ihrer Rechnung, mit dem die Leitungen bezahlt werden, durch die der Strom zu Ihnen kommt.',
  ],
];
