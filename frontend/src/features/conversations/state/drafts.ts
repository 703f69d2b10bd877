import type { AskedFile, ConversationId, Draft, FileId, MessageId, ProjectId } from '@parley/contracts';
import { newId } from '../../../lib/new-id.ts';
import { readStored, writeStored } from '../../../lib/stored.ts';

/** Names a draft by its conversation, or by the project of a new chat; `new` for one outside of projects. */
export type Where = ConversationId | ProjectId | 'new';

export const isOfChat = (where: Where): where is ConversationId => where.startsWith('cnv_');

/** The state of a draft in this browser, based on a revision of the server. */
export type LocalDraft = Omit<Draft, 'files'> & {
  /** The files with their use, which the server gets only when they are sent. */
  readonly files: readonly AskedFile[];
  /** True if the list of files must be sent to the server. */
  readonly hasOtherFiles: boolean;
  /** The page that typed text which the server lacks; null: the server has everything. */
  readonly writer: string | null;
  /** The question that took the text. The server's draft stays until the question is accepted. */
  readonly sent: MessageId | null;
};

export type Other = LocalDraft['others'][number];

const nothing: LocalDraft = {
  text: '',
  revision: 0,
  others: [],
  files: [],
  hasOtherFiles: false,
  writer: null,
  sent: null,
};

/**
 * Stores unsent text in this browser immediately, so that it survives a crash and an outage. `draft-sync.ts`, which is
 * loaded later, saves it to the server.
 */
export class Drafts {
  /** One person and organisation, so that other people at this browser never see these drafts. */
  readonly #owner: string;
  readonly #known = new Map<Where, LocalDraft>();
  readonly #watchers = new Set<() => void>();
  /** Drafts of chats deleted since this page was opened; Undo restores them. */
  readonly #setAside = new Map<Where, LocalDraft>();
  readonly #writer = newId('message');

  constructor(owner: string) {
    this.#owner = owner;
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  read(where: Where): LocalDraft {
    const known = this.#known.get(where) ?? this.#stored(where);
    this.#known.set(where, known);
    return known;
  }

  /** Returns drafts with changes for the server, also those of earlier pages. */
  unsaved(): Where[] {
    const prefix = this.#keyOf('');
    let stored: string[] = [];
    try {
      stored = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    } catch {
      // Storage is blocked: return only the drafts of this page.
    }
    const all = new Set([...this.#known.keys(), ...stored.map((key) => key.slice(prefix.length) as Where)]);
    return [...all].filter((where) => this.read(where).writer !== null || this.read(where).sent !== null);
  }

  type(where: Where, text: string): void {
    const draft = this.read(where);
    if (draft.text === text) return;
    this.#change(where, { ...draft, text, writer: draft.writer ?? this.#writer, sent: null });
  }

  /** Adds a stored file before the first of the `later` files, which were chosen after it. */
  attach(where: Where, id: FileId, later: readonly FileId[] = []): void {
    const { files } = this.read(where);
    if (files.some((file) => file.id === id)) return;
    const at = files.findIndex((file) => later.includes(file.id));
    this.#use(where, files.toSpliced(at < 0 ? files.length : at, 0, { id, use: 'auto' }));
  }

  /** Adds the files of a question that returns to the draft, with their use. */
  attachAll(where: Where, added: readonly AskedFile[]): void {
    const { files } = this.read(where);
    const fresh = added.filter(({ id }) => !files.some((file) => file.id === id));
    if (fresh.length > 0) this.#use(where, [...files, ...fresh]);
  }

  detach(where: Where, id: FileId): void {
    this.#use(
      where,
      this.read(where).files.filter((file) => file.id !== id),
    );
  }

  /** Chooses how the model uses a file. */
  use(where: Where, chosen: AskedFile): void {
    this.#use(
      where,
      this.read(where).files.map((file) => (file.id === chosen.id ? chosen : file)),
    );
  }

  /** Makes another device's text the draft, and keeps the draft's current text among the other texts. */
  swap(where: Where, other: Other): void {
    const { text, others } = this.read(where);
    const own = text.trim() === '' ? [] : [{ text, at: new Date().toISOString() }];
    this.#choose(where, other.text, [...own, ...others.filter((one) => one !== other)]);
  }

  dismiss(where: Where, other: Other): void {
    const { text, others } = this.read(where);
    this.#choose(
      where,
      text,
      others.filter((one) => one !== other),
    );
  }

  /**
   * Empties the draft, because its text is being sent as this question. The server's draft stays until the question is
   * accepted.
   */
  send(where: Where, sent: MessageId): void {
    const draft = this.read(where);
    const hasOtherFiles = draft.hasOtherFiles || draft.files.length > 0;
    this.#change(where, { ...draft, text: '', others: [], files: [], hasOtherFiles, writer: null, sent });
  }

  /** Empties the server's draft, because the question was accepted or taken back. */
  settle(where: Where): void {
    this.#change(where, { ...this.read(where), writer: this.#writer, sent: null });
  }

  /** Takes over the server's draft, unless this browser has unsaved text. */
  found(where: Where, { files, ...found }: Draft): void {
    const { writer, sent, files: own } = this.read(where);
    if (writer === null && sent === null) this.#change(where, { ...nothing, ...found, files: withUses(files, own) });
  }

  /** Notes that the server has stored `saved`; text typed and files chosen since then stay unsaved. */
  saved(where: Where, saved: LocalDraft, answer: Draft): void {
    const now = this.read(where);
    if (now === saved) return this.#change(where, { ...nothing, ...answer, files: withUses(answer.files, now.files) });
    const isIn = (list: LocalDraft['others'], text: string) => list.some((other) => other.text === text);
    const added = now.others.filter(({ text }) => !isIn(saved.others, text));
    const left = answer.others.filter(({ text }) => isIn(now.others, text) || !isIn(saved.others, text));
    this.#change(where, { ...now, revision: answer.revision, others: [...added, ...left] });
  }

  /** Removes the draft of a deleted chat, and keeps it for Undo. */
  drop(id: ConversationId): void {
    const draft = this.read(id);
    if (draft === nothing) return;
    this.#setAside.set(id, draft);
    this.#change(id, nothing);
  }

  /** Restores the draft of a restored chat. */
  bringBack(id: ConversationId): void {
    const draft = this.#setAside.get(id);
    this.#setAside.delete(id);
    if (draft && this.read(id).text === '') this.#change(id, draft);
  }

  #use(where: Where, files: readonly AskedFile[]): void {
    const draft = this.read(where);
    const writer = draft.writer ?? this.#writer;
    this.#change(where, { ...draft, files, hasOtherFiles: true, writer, sent: null });
  }

  #choose(where: Where, text: string, others: Other[]): void {
    const draft = this.read(where);
    this.#change(where, { ...draft, text, others, writer: draft.writer ?? this.#writer, sent: null });
  }

  #change(where: Where, draft: LocalDraft): void {
    const { text, others, files } = draft;
    const isEmpty = text === '' && others.length === 0 && files.length === 0 && !draft.writer && !draft.sent;
    this.#known.set(where, isEmpty ? { ...nothing, revision: draft.revision } : draft);
    writeStored('local', this.#keyOf(where), isEmpty ? null : draft);
    for (const watcher of this.#watchers) watcher();
  }

  /** Reads a stored draft, also in the form of the previous release, which stored only the text. */
  #stored(where: Where): LocalDraft {
    const stored = readStored<string | LocalDraft>('local', this.#keyOf(where));
    if (typeof stored === 'string') return { ...nothing, text: stored, writer: this.#writer };
    return stored ? { ...nothing, ...stored } : nothing;
  }

  #keyOf(where: string): string {
    return `${this.#owner}.${where}`;
  }
}

/** Returns the files with their use in this browser. */
const withUses = (ids: readonly FileId[] = [], own: readonly AskedFile[]): AskedFile[] =>
  ids.map((id) => own.find((file) => file.id === id) ?? { id, use: 'auto' });
