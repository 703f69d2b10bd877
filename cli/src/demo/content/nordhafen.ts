import type { DemoOrganisation } from './content.ts';
import { nordhafenChats, nordhafenEveryday } from './nordhafen-chats.ts';

/** A public utility in Germany. */
export const nordhafen: DemoOrganisation = {
  name: 'Stadtwerke Nordhafen',
  slug: 'nordhafen',
  domain: 'sw-nordhafen.example',
  locale: 'de',
  timeZone: 'Europe/Berlin',
  weekend: [6, 0],
  questionsADay: 1.5,
  groups: ['Netzbetrieb', 'Kundenservice', 'Personal'],
  people: [
    { handle: 'katrin.behrens', name: 'Katrin Behrens', role: 'admin', group: 'Personal' },
    { handle: 'jens.thomsen', name: 'Jens Thomsen', role: 'billing', group: null },
    { handle: 'aylin.yildiz', name: 'Aylin Yıldız', role: 'analyst', group: 'Netzbetrieb' },
    { handle: 'henning.paulsen', name: 'Henning Paulsen', role: 'member', group: 'Netzbetrieb' },
    { handle: 'sabine.krueger', name: 'Sabine Krüger', role: 'member', group: 'Netzbetrieb' },
    { handle: 'piotr.nowak', name: 'Piotr Nowak', role: 'member', group: 'Netzbetrieb' },
    { handle: 'ute.lorenzen', name: 'Ute Lorenzen', role: 'member', group: 'Kundenservice' },
    { handle: 'marek.dietz', name: 'Marek Dietz', role: 'member', group: 'Kundenservice' },
    { handle: 'fatma.aksoy', name: 'Fatma Aksoy', role: 'member', group: 'Kundenservice' },
    { handle: 'lars.petersen', name: 'Lars Petersen', role: 'member', group: 'Kundenservice' },
    { handle: 'birte.harms', name: 'Birte Harms', role: 'member', group: 'Personal' },
    { handle: 'oliver.funk', name: 'Oliver Funk', role: 'guest', group: null },
  ],
  connections: [
    {
      name: 'Dienstanweisungen',
      documents: [
        {
          name: 'Bereitschaftsdienst.md',
          text: `# Bereitschaftsdienst

## Dauer

Ein Bereitschaftsdienst dauert sieben Tage, von Montag 7:00 Uhr bis zum folgenden Montag 7:00 Uhr. Nach zwei Diensten folgt mindestens eine freie Woche.

## Einsatz

Wer gerufen wird, ist innerhalb von 45 Minuten vor Ort. Nach einem Einsatz nach 23:00 Uhr beginnt der nächste Arbeitstag erst nach elf Stunden Ruhe.

## Vergütung

Ein Tag wird pauschal mit 38 EUR vergütet, am Wochenende mit 62 EUR. Einsätze werden zusätzlich nach Stunden bezahlt.
`,
        },
        {
          name: 'Zählerwechsel.md',
          text: `# Zählerwechsel

## Ankündigung

Kundinnen und Kunden erfahren den Termin mindestens 14 Tage vorher schriftlich. Sie können ihn einmal verschieben.

## Ablauf

Der Wechsel dauert etwa 30 Minuten; so lange fließt kein Strom. Der alte Zählerstand wird fotografiert und 36 Monate aufbewahrt.
`,
        },
        {
          name: 'Reisekosten.md',
          text: `# Reisekosten

Fahrten bis sechs Stunden werden mit der Bahn gemacht, in der zweiten Klasse. Belege werden innerhalb von sechs Wochen eingereicht. Eine Übernachtung kostet höchstens 120 EUR.
`,
        },
      ],
    },
  ],
  chatbots: [
    {
      name: 'Kundenservice',
      glyph: 'users',
      instructions: 'Du hilfst dem Kundenservice. Antworte mit „Sie“, in kurzen Sätzen und ohne Fachwörter.',
      starters: ['Wie kündige ich einen Zählerwechsel an?', 'Formuliere eine Antwort auf eine Beschwerde'],
      note: 'Kürzere Sätze',
    },
    {
      name: 'Betriebshandbuch',
      glyph: 'wrench',
      instructions: 'Beantworte Fragen nur aus den Dienstanweisungen und nenne den Abschnitt.',
      starters: ['Wann muss ich beim Bereitschaftsdienst vor Ort sein?'],
      note: 'Nur aus den Dienstanweisungen',
      onlyFromDocuments: true,
    },
  ],
  curated: [
    {
      question: 'Unter welcher Nummer melde ich eine Störung?',
      answer: 'Störungen nimmt die Leitwarte rund um die Uhr unter **0000 112 233** an.',
    },
  ],
  projects: [
    {
      name: 'Glasfaser Hafenviertel',
      by: 'aylin.yildiz',
      instructions: 'Baubeginn ist der 4. Mai. Straßennamen immer ausschreiben.',
    },
  ],
  budgets: [
    { period: 'month', warnsAt: 4, stopsAt: 8 },
    { of: { group: 'Kundenservice' }, period: 'month', warnsAt: 1.5 },
  ],
  chats: nordhafenChats,
  everyday: nordhafenEveryday,
};
