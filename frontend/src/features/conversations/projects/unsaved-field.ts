import type { Project } from '@parley/contracts';
import { isProblem } from '../../../lib/http.ts';
import { readStored, writeStored } from '../../../lib/stored.ts';
import { projectNow, type ProjectFields } from '../state/projects.ts';

export type Field = 'name' | 'instructions' | 'chatbotId';
export type Saving<Value> =
  | { readonly kind: 'idle' | 'saving' }
  | { readonly kind: 'saved'; readonly at: number }
  /** Another device saved first: `now` is its value. */
  | { readonly kind: 'conflict'; readonly now: Value }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A value that isn't saved yet, and the project that it is based on. */
type Draft<Value> = { readonly value: Value; readonly base: Project };
type State<Value> = { readonly draft: Draft<Value> | null; readonly saving: Saving<Value> };
type Kept<Value> = Draft<Value> & { readonly isConflict: boolean };

type Sending<Value> = {
  readonly write: (base: Project, value: Value) => Promise<Project>;
  /** Returns false for a value that the server would refuse. It stays unsaved. */
  readonly isGood: (value: Value) => boolean;
};

/**
 * Keeps the unsaved value of one field after its panel is closed. Stores text in this browser, too, so it survives a
 * reload. Forgets the value once it is saved, dropped, or equal to the project's. Sends one save at a time, each
 * based on the project that the previous one returned.
 */
export class UnsavedField<Name extends Field> {
  readonly #key: string;
  readonly #field: Name;
  readonly #watchers = new Set<() => void>();
  #state: State<ProjectFields[Name]>;
  #isBusy = false;
  #isAskedAgain = false;

  constructor(owner: string, field: Name) {
    this.#key = `${owner}.${field}`;
    this.#field = field;
    const kept = readStored<Kept<ProjectFields[Name]>>('local', this.#key);
    this.#state = kept
      ? {
          draft: { value: kept.value, base: kept.base },
          saving: kept.isConflict ? { kind: 'conflict', now: this.#of(kept.base) } : { kind: 'idle' },
        }
      : { draft: null, saving: { kind: 'idle' } };
  }

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  read = (): State<ProjectFields[Name]> => this.#state;

  /** Compares the kept value with the project when the panel opens. */
  open(project: Project): void {
    const { draft, saving } = this.#state;
    if (saving.kind === 'saved') this.#set({ draft, saving: { kind: 'idle' } });
    if (!draft || this.#isBusy) return;
    if (draft.value === this.#of(draft.base)) return this.drop();
    if (project.revision < draft.base.revision) return;
    if (draft.value === this.#of(project)) this.drop();
    else if (saving.kind === 'conflict')
      this.#set({ draft: { ...draft, base: project }, saving: { kind: 'conflict', now: this.#of(project) } });
    // The save failed because the project was deleted. Its page opens again, so someone restored the project.
    else if (saving.kind === 'failed' && isProblem(saving.error, 'chat.project-deleted'))
      this.#set({ draft, saving: { kind: 'idle' } });
  }

  change(value: ProjectFields[Name], project: Project): void {
    const { draft, saving } = this.#state;
    const base = draft?.base ?? project;
    const isOpen = saving.kind === 'saving' || (saving.kind === 'conflict' && value !== saving.now);
    this.#set({ draft: { value, base }, saving: isOpen ? saving : { kind: 'idle' } });
  }

  drop(): void {
    this.#set({ draft: null, saving: { kind: 'idle' } });
  }

  /** Saves the value. If a save is running, waits for its end, and then saves what was typed meanwhile. */
  async save(sending: Sending<ProjectFields[Name]>): Promise<void> {
    if (this.#isBusy) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isBusy = true;
    try {
      do {
        this.#isAskedAgain = false;
        await this.#send(sending);
      } while (this.#isAskedAgain && this.#state.saving.kind === 'saved');
    } finally {
      this.#isBusy = false;
    }
  }

  async #send({ write, isGood }: Sending<ProjectFields[Name]>): Promise<void> {
    const { draft } = this.#state;
    if (!draft || draft.value === this.#of(draft.base) || !isGood(draft.value)) return;
    this.#set({ draft, saving: { kind: 'saving' } });
    try {
      const saved = await write(draft.base, draft.value);
      const now = this.#state.draft;
      // Text typed during the save is now based on the saved project.
      const rest = !now || now.value === draft.value ? null : { value: now.value, base: saved };
      this.#set({ draft: rest, saving: { kind: 'saved', at: Date.now() } });
    } catch (error) {
      const now = projectNow(error);
      const left = this.#state.draft;
      this.#set(
        now
          ? { draft: left && { ...left, base: now }, saving: { kind: 'conflict', now: this.#of(now) } }
          : { draft: left, saving: { kind: 'failed', error } },
      );
    }
  }

  #of(project: Project): ProjectFields[Name] {
    return project[this.#field] as ProjectFields[Name];
  }

  #set(state: State<ProjectFields[Name]>): void {
    this.#state = state;
    const { draft, saving } = state;
    const isAhead = draft !== null && (saving.kind === 'saving' || draft.value !== this.#of(draft.base));
    // Doesn't store a chosen chatbot for after a reload: choosing again is easier than understanding an old choice.
    if (this.#field !== 'chatbotId')
      writeStored('local', this.#key, isAhead ? { ...draft, isConflict: saving.kind === 'conflict' } : null);
    for (const watcher of this.#watchers) watcher();
  }
}
