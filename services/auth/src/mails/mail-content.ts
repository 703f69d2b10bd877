import type { BudgetScope, MailKind } from '@parley/contracts';

/** So much money or, without a currency, so many tokens. */
export type BudgetAmount = { readonly value: number; readonly currency: string | null };

/** What a mail of each kind tells. */
export type MailContents = {
  readonly 'password-reset': { readonly minutes: number };
  readonly 'password-changed': { readonly at: Date };
  readonly 'link-shown': { readonly by: string; readonly reason: string };
  readonly 'name-revealed': {
    readonly by: string;
    readonly organisation: string;
    readonly reason: string;
    readonly until: Date;
  };
  readonly 'budget-reached': {
    readonly organisation: string;
    /** Whose budget it is; `own` is the reader's. `name` is that of the group, person or model. */
    readonly whose: BudgetScope['kind'] | 'own';
    readonly name: string;
    readonly threshold: 'soft' | 'hard';
    readonly spent: BudgetAmount;
    readonly limit: BudgetAmount;
    readonly resetsAt: Date;
    readonly timeZone: string;
  };
  readonly 'address-proof': { readonly name: string; readonly days: number };
  readonly invitation: {
    readonly organisation: string;
    readonly inviter: string;
    readonly endsAt: Date;
    /** In the inviter's own words, of several lines; absent in mails that an earlier version has queued. */
    readonly message?: string | null;
  };
};
export type MailContent = { [Kind in MailKind]: { readonly kind: Kind } & MailContents[Kind] }[MailKind];

/** The page to which the link of a mail leads; null for mails without one. */
export const linkPages: Readonly<Record<MailKind, string | null>> = {
  'password-reset': 'reset-password',
  'password-changed': 'forgot-password',
  'link-shown': null,
  'name-revealed': null,
  'budget-reached': null,
  invitation: 'invitation',
  'address-proof': 'register',
};

/** The words of one mail. */
export type MailWords = {
  readonly subject: string;
  readonly lines: readonly string[];
  /** What a person has written, below the lines: a line that says who, and the words, line by line. */
  readonly quote?: { readonly by: string; readonly lines: readonly string[] } | undefined;
  /** Of the button that leads to the page of the kind; mandatory where the kind has one. */
  readonly button?: string;
  /** Below the button: what the reader should know beside it. */
  readonly after?: readonly string[];
};

/** One language, whole: a kind that is left out does not compile. */
export type MailTexts = {
  readonly [Kind in MailKind]: (content: MailContents[Kind], write: Write) => MailWords;
} & {
  /** Under every mail. */
  readonly footer: string;
  /** Above the bare address, for programs that show no button. */
  readonly orCopy: string;
};

/** How values stand in a text of this language. */
export type Write = {
  /** A name or words of a person, whatever their direction. */
  name(value: string): string;
  /** What a person has written, line by line. */
  words(value: string): readonly string[];
  /** In UTC unless a time zone is given; it is named. */
  time(value: Date, timeZone?: string): string;
  amount(value: BudgetAmount): string;
};
