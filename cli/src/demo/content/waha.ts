import type { DemoOrganisation } from './content.ts';
import { wahaChats, wahaEveryday } from './waha-chats.ts';

/** Clinics in an Arabic-speaking country. */
export const waha: DemoOrganisation = {
  name: 'عيادات الواحة',
  slug: 'waha-clinics',
  domain: 'waha-clinics.example',
  locale: 'ar',
  timeZone: 'Asia/Dubai',
  weekend: [6, 0],
  questionsADay: 1.5,
  groups: ['الاستقبال', 'التمريض'],
  people: [
    { handle: 'layla.mansour', name: 'ليلى منصور', role: 'admin', group: null },
    { handle: 'khalid.nasser', name: 'خالد ناصر', role: 'billing', group: null },
    { handle: 'huda.salem', name: 'هدى سالم', role: 'member', group: 'الاستقبال' },
    { handle: 'omar.farouk', name: 'عمر فاروق', role: 'member', group: 'الاستقبال' },
    { handle: 'nour.aziz', name: 'نور عزيز', role: 'member', group: 'الاستقبال' },
    { handle: 'yusuf.hamdan', name: 'يوسف حمدان', role: 'member', group: 'التمريض' },
    { handle: 'mariam.saleh', name: 'مريم صالح', role: 'member', group: 'التمريض' },
    { handle: 'rana.khoury', name: 'رنا خوري', role: 'member', group: 'التمريض' },
    { handle: 'anita.dsouza', name: "Anita D'Souza", role: 'member', group: 'التمريض', locale: 'en' },
  ],
  connections: [
    {
      name: 'دليل العيادات',
      documents: [
        {
          name: 'المواعيد.md',
          text: `# المواعيد

## الإلغاء

يمكن إلغاء الموعد مجانًا حتى 24 ساعة قبله. بعد ذلك تُحتسب رسوم قدرها 20 دولارًا.

## التأخر

ينتظر الطبيب المريض المتأخر 15 دقيقة، ثم يُعرض عليه أقرب موعد في اليوم نفسه إن وُجد.
`,
        },
        {
          name: 'ساعات العمل.md',
          text: `# ساعات العمل

تفتح العيادات من الاثنين إلى الجمعة من الساعة 8:00 إلى الساعة 20:00. في شهر رمضان تفتح من الساعة 10:00 إلى الساعة 16:00 ومن الساعة 20:00 إلى الساعة 23:00.
`,
        },
      ],
    },
  ],
  chatbots: [
    {
      name: 'مساعد الاستقبال',
      glyph: 'heart',
      instructions: 'ساعد موظفي الاستقبال في الرد على المرضى. اكتب بلغة بسيطة ولطيفة، ولا تقدّم نصائح طبية.',
      starters: ['ما رسوم إلغاء الموعد؟', 'اكتب رسالة تذكير بالموعد'],
      note: 'لا نصائح طبية',
    },
  ],
  curated: [{ question: 'ما رقم الطوارئ في العيادة؟', answer: 'للطوارئ داخل العيادة اتصل بالرقم الداخلي **55**.' }],
  projects: [{ name: 'رسائل المرضى', by: 'layla.mansour', instructions: 'رسائل قصيرة لا تزيد على 40 كلمة.' }],
  budgets: [{ period: 'month', warnsAt: 4, stopsAt: 8 }],
  chats: wahaChats,
  everyday: wahaEveryday,
};
