import type { ChatbotContent, FeedbackReason, Locale, OrgRole } from '@parley/contracts';

/** A person by the first part of their email address. */
export type Handle = string;

export type DemoPerson = {
  readonly handle: Handle;
  readonly name: string;
  readonly role: Exclude<OrgRole, 'owner'>;
  readonly group: string | null;
  readonly locale?: Locale;
};

export type DemoFile = { readonly name: string; readonly text: string };
export type DemoRating = {
  readonly rating: 'up' | 'down';
  readonly reasons?: FeedbackReason[];
  readonly comment?: string;
  readonly reply?: string;
};

export type DemoTurn = {
  readonly ask: string;
  /** `[§heading]` cites the passage with that heading. */
  readonly answer: string;
  readonly file?: DemoFile;
  /** The same question is answered once more. */
  readonly again?: string;
  /** The question is edited, and the chat continues from the new version. */
  readonly edited?: { readonly ask: string; readonly answer: string };
  readonly rated?: DemoRating;
};

export type DemoChat = {
  /** Unless given, its first question names it. */
  readonly title?: string;
  readonly by: Handle;
  /** The days since then; 0 is now. */
  readonly daysAgo: number;
  readonly chatbot?: string;
  readonly project?: string;
  readonly isPinned?: boolean;
  /** Its newest answer has not been seen. */
  readonly isUnread?: boolean;
  readonly turns: readonly DemoTurn[];
};

export type DemoProject = {
  readonly name: string;
  readonly by: Handle;
  readonly instructions: string;
  readonly chatbot?: string;
  readonly file?: DemoFile;
};

export type DemoChatbot = Pick<ChatbotContent, 'name' | 'glyph' | 'instructions' | 'starters'> & {
  readonly note: string;
  readonly onlyFromDocuments?: boolean;
  readonly isDraft?: boolean;
  /** The owner's try of today in the studio: the answers of the draft and of the published version. */
  readonly tried?: { readonly question: string; readonly draft: string; readonly published: string };
};

export type DemoBudget = {
  /** The organisation without any. */
  readonly of?: { readonly group: string } | { readonly person: Handle } | { readonly chatbot: string };
  readonly period: 'week' | 'month';
  /** Of the currency. */
  readonly warnsAt: number;
  readonly stopsAt?: number;
};

export type DemoOrganisation = {
  readonly name: string;
  readonly slug: string;
  readonly domain: string;
  readonly locale: Locale;
  readonly timeZone: string;
  /** 0 is Sunday. */
  readonly weekend: readonly number[];
  /** The number of questions on a working day, besides the chats below. */
  readonly questionsADay: number;
  readonly groups: readonly string[];
  readonly people: readonly DemoPerson[];
  readonly connections: readonly { readonly name: string; readonly documents: readonly DemoFile[] }[];
  readonly chatbots: readonly DemoChatbot[];
  readonly curated: readonly { readonly question: string; readonly answer: string }[];
  readonly projects: readonly DemoProject[];
  readonly budgets: readonly DemoBudget[];
  readonly chats: readonly DemoChat[];
  /** Short questions of everyday work. */
  readonly everyday: readonly (readonly [ask: string, answer: string])[];
};
