import { locale as localeSchema, type Locale } from '@parley/contracts';

/** The few words that Parley adds to a chat as Markdown. */
export type MarkdownWords = {
  readonly created: string;
  readonly exported: string;
  readonly files: string;
  readonly sources: string;
  readonly unfinished: string;
  readonly unnamed: string;
  readonly place: Readonly<Record<'page' | 'sheet' | 'slide' | 'attachment', (number: number) => string>>;
};

const words: Readonly<Record<Locale, MarkdownWords>> = {
  en: {
    created: 'Created',
    exported: 'Exported',
    files: 'Files',
    sources: 'Sources',
    unfinished: 'This answer was still being written when the chat was exported.',
    unnamed: 'Chat',
    place: {
      page: (number) => `page ${number}`,
      sheet: (number) => `sheet ${number}`,
      slide: (number) => `slide ${number}`,
      attachment: (number) => `attachment ${number}`,
    },
  },
  de: {
    created: 'Erstellt',
    exported: 'Exportiert',
    files: 'Dateien',
    sources: 'Quellen',
    unfinished: 'Diese Antwort wurde beim Export des Chats noch geschrieben.',
    unnamed: 'Chat',
    place: {
      page: (number) => `Seite ${number}`,
      sheet: (number) => `Tabellenblatt ${number}`,
      slide: (number) => `Folie ${number}`,
      attachment: (number) => `Anhang ${number}`,
    },
  },
  ar: {
    created: 'تاريخ الإنشاء',
    exported: 'تاريخ التصدير',
    files: 'الملفات',
    sources: 'المصادر',
    unfinished: 'كانت هذه الإجابة لا تزال قيد الكتابة عند تصدير المحادثة.',
    unnamed: 'محادثة',
    place: {
      page: (number) => `الصفحة ${number}`,
      sheet: (number) => `ورقة العمل ${number}`,
      slide: (number) => `الشريحة ${number}`,
      attachment: (number) => `المرفق ${number}`,
    },
  },
};

/** English where the language is none of Parley's. */
export const markdownWords = (locale: string): MarkdownWords => words[localeSchema.safeParse(locale).data ?? 'en'];
