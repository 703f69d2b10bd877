import { brightwaterChats } from './brightwater-chats.ts';
import { brightwaterDocuments } from './brightwater-documents.ts';
import { brightwaterEveryday } from './brightwater-everyday.ts';
import type { DemoOrganisation } from './content.ts';

/** Makes and sells outdoor gear. */
export const brightwater: DemoOrganisation = {
  name: 'Brightwater Outdoor',
  slug: 'brightwater',
  domain: 'brightwater.example',
  locale: 'en',
  timeZone: 'Europe/London',
  weekend: [6, 0],
  questionsADay: 3.5,
  groups: ['Customer care', 'Product', 'Operations', 'Finance'],
  people: [
    { handle: 'maya.okafor', name: 'Maya Okafor', role: 'admin', group: 'Operations' },
    { handle: 'tom.hollis', name: 'Tom Hollis', role: 'billing', group: 'Finance' },
    { handle: 'priya.raman', name: 'Priya Raman', role: 'analyst', group: 'Product' },
    { handle: 'elin.berg', name: 'Elin Berg', role: 'member', group: 'Product' },
    { handle: 'callum.reid', name: 'Callum Reid', role: 'member', group: 'Product' },
    { handle: 'jo.marsh', name: 'Jo Marsh', role: 'member', group: 'Product' },
    { handle: 'lena.vogt', name: 'Lena Vogt', role: 'member', group: 'Customer care', locale: 'de' },
    { handle: 'samir.haddad', name: 'سمير حداد', role: 'member', group: 'Customer care', locale: 'ar' },
    { handle: 'grace.oduya', name: 'Grace Oduya', role: 'member', group: 'Customer care' },
    { handle: 'ben.carver', name: 'Ben Carver', role: 'member', group: 'Customer care' },
    { handle: 'wren.foster', name: 'Wren Foster', role: 'member', group: 'Customer care' },
    { handle: 'niall.kerr', name: 'Niall Kerr', role: 'member', group: 'Operations' },
    { handle: 'hana.sato', name: 'Hana Sato', role: 'member', group: 'Operations' },
    { handle: 'marta.kowal', name: 'Marta Kowal', role: 'member', group: 'Operations' },
    { handle: 'dev.patel', name: 'Dev Patel', role: 'member', group: 'Finance' },
    { handle: 'ruth.adeyemi', name: 'Ruth Adeyemi', role: 'member', group: 'Finance' },
    { handle: 'iris.lund', name: 'Iris Lund', role: 'member', group: null },
    { handle: 'owen.pryce', name: 'Owen Pryce', role: 'guest', group: null },
  ],
  connections: [{ name: 'Staff handbook', documents: brightwaterDocuments }],
  chatbots: [
    {
      name: 'Customer care',
      glyph: 'heart',
      instructions:
        'You help the customer care team of Brightwater Outdoor. Answer in the language of the question, name the page of the handbook that you rely on, and keep drafts of emails under 120 words.',
      starters: [
        'How long can a customer return a worn pair of boots?',
        'Draft a reply to a customer whose tent pole broke on the second trip',
        'Which parcels can we send to Norway?',
      ],
      note: 'Names the page of the handbook',
      tried: {
        question: 'A zip broke after two years. What does the repair cost?',
        draft:
          'It depends on the product. Rucksacks have a warranty of five years, so the repair is **free**. Outside of the warranty a zip costs **15 EUR** [§Repairs]. Repairs take ten working days.',
        published: 'Outside of the warranty a zip costs **15 EUR**, and the repair takes ten working days [§Repairs].',
      },
    },
    {
      name: 'Product writer',
      glyph: 'compass',
      instructions:
        'You write product pages for Brightwater Outdoor. Short sentences, no superlatives, every claim has a number. End with a list of care instructions.',
      starters: ['Write a product page for the Tarn 2 tent', 'Shorten this text to 60 words'],
      note: 'First version for the autumn range',
    },
    {
      name: 'Policy desk',
      glyph: 'shield',
      instructions: 'Answer questions about leave, travel and expenses from the handbook only.',
      starters: ['How many days of leave can I carry over?', 'What does a hotel in Oslo cost at most?'],
      note: 'Answers only from the handbook',
      onlyFromDocuments: true,
    },
    {
      name: 'Spreadsheet helper',
      glyph: 'code',
      instructions: 'Explain formulas step by step and show the formula in a code block.',
      starters: ['Compare two columns and mark what differs'],
      note: '',
      isDraft: true,
    },
  ],
  curated: [
    {
      question: 'When is the warehouse closed over the holidays?',
      answer:
        'The warehouse is closed from **24 December to 1 January**. Orders placed by 12:00 on 22 December leave on the same day.',
    },
    {
      question: 'Who approves a refund above 500 EUR?',
      answer:
        'Maya Okafor approves refunds above **500 EUR**. Send her the order number and the reason; she answers within one working day.',
    },
  ],
  projects: [
    {
      name: 'Autumn range',
      by: 'robin',
      instructions:
        'All prices are in euros without VAT. The range has four products: Tarn 2, Fell 35, Skerry and Loam.',
      chatbot: 'Product writer',
      file: {
        name: 'autumn-range.csv',
        text: 'product,category,weight_g,price_eur,launch\nTarn 2,tent,1890,329,2 September\nFell 35,rucksack,1240,149,2 September\nSkerry,rain jacket,415,189,16 September\nLoam,fleece,360,79,16 September\n',
      },
    },
    {
      name: 'Warehouse move',
      by: 'robin',
      instructions: 'The new warehouse opens on 1 March. Mention who is responsible for each step.',
    },
    {
      name: 'Care answers',
      by: 'grace.oduya',
      instructions: 'Friendly, first names, no jargon.',
      chatbot: 'Customer care',
    },
  ],
  budgets: [
    { period: 'month', warnsAt: 4, stopsAt: 8 },
    { of: { group: 'Customer care' }, period: 'month', warnsAt: 1, stopsAt: 2 },
    { of: { group: 'Product' }, period: 'month', warnsAt: 0.6, stopsAt: 2.5 },
    { of: { person: 'elin.berg' }, period: 'week', warnsAt: 0.2, stopsAt: 0.5 },
    { of: { chatbot: 'Product writer' }, period: 'month', warnsAt: 0.5 },
  ],
  chats: brightwaterChats,
  everyday: brightwaterEveryday,
};
