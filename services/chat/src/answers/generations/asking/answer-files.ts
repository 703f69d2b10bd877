import type { FileId, MessageFile } from '@parley/contracts';
import type { PromptBudget } from '@parley/contracts/prompt-budget';
import { imageTokens } from '@parley/contracts/image-tokens';
import type { OrganisationScope } from '@parley/platform/mongo';
import {
  budgetOf,
  recentMessages,
  tokensOfModelMessage,
  type ModelMessage,
  type Prompt,
  type Reading,
  type ModelFile,
  type ModelImage,
} from '../../../assistants/models/index.ts';
import type { FileSearch, SeenImages, StoredImage } from '../../../knowledge/files/index.ts';
import type { PathMessage } from './path-messages.ts';

/** The most images in one request, for all providers. */
const mostImages = 20;

type Attached = {
  readonly path: readonly PathMessage[];
  /** Files of earlier messages of the path, before these messages. */
  readonly before: readonly MessageFile[];
  readonly reading: Reading;
  /** The most tokens of all files that are sent whole; 0: all files are searched. */
  readonly mostTokens: number;
  /** Everything else that the model gets; the history must fit beside it. */
  readonly told: Omit<Prompt, 'path' | 'passages' | 'contextTokens'>;
  /** True if documents have passages to find: then room is kept for passages even if no file is searched. */
  readonly mayFind: boolean;
};
type Sources = { readonly files: Pick<FileSearch, 'whole'>; readonly images: Pick<SeenImages, 'find'> };
type Decided = { readonly path: ModelMessage[]; readonly searched: MessageFile[] };
type Whole = Awaited<ReturnType<FileSearch['whole']>>;

/**
 * Decides how an answer reads the files of its path. Sends files whole that people chose to send whole, newest
 * questions first, while they fit and their question is in the history; searches all others. Sends images in the same
 * order, while they fit, otherwise their names. `PromptBudget` decides what fits, as in `messagesOf`, and keeps room
 * for passages, so that everything chosen here is really sent.
 */
export async function attachFiles(sources: Sources, scope: OrganisationScope, attached: Attached): Promise<Decided> {
  const { path, reading, mostTokens: mostWhole, told, mayFind } = attached;
  const { contextTokens } = reading;
  const prompt = { ...told, contextTokens, passages: [], path: path.map((message) => named(message)) };
  const images = await imagesOf(sources, scope, { path: recentMessages(path, budgetOf(prompt)), reading });
  const texts = new Map<FileId, Promise<Whole>>();
  const whole = (id: FileId): Promise<Whole> => {
    const text = texts.get(id) ?? sources.files.whole(scope, id);
    texts.set(id, text);
    return text;
  };
  const decideWith = (keepsPassages: boolean) =>
    decide(attached, { images, whole, budget: budgetOf(prompt, { mostWhole, keepsPassages }) });
  const decided = await decideWith(mayFind);
  return mayFind || decided.searched.length === 0 ? decided : decideWith(true);
}

type Deciding = {
  readonly images: ReadonlyMap<FileId, StoredImage>;
  readonly whole: (id: FileId) => Promise<Whole>;
  readonly budget: PromptBudget;
};

async function decide({ path, before }: Attached, { images, whole, budget }: Deciding): Promise<Decided> {
  const known = new Set<FileId>();
  const searched: MessageFile[] = [];
  const told: ModelMessage[] = [];
  for (const message of path.toReversed()) {
    const own = (message.attached ?? []).filter(({ id }) => !known.has(id));
    const isSent = budget.enter(tokensOfModelMessage(named({ ...message, attached: own })));
    const seen: ModelImage[] = [];
    const files: ModelFile[] = [];
    for (const file of own) {
      known.add(file.id);
      if (file.use === 'image') {
        seen.push(seenWithin(budget, file, isSent ? images.get(file.id) : undefined));
        continue;
      }
      const isAsked = isSent && file.use === 'whole' && budget.hasWhole;
      const text = isAsked ? wholeWithin(budget, file, await whole(file.id)) : null;
      if (text === null) searched.push(file);
      files.push({ name: file.name, text });
    }
    const { role, text } = message;
    told.unshift({ role, text, ...(files.length > 0 && { files }), ...(seen.length > 0 && { images: seen }) });
  }
  for (const file of before) {
    if (known.has(file.id) || file.use === 'image') continue;
    known.add(file.id);
    searched.push(file);
  }
  return { path: told, searched };
}

/**
 * Returns the message with the names of all its files. Each image is listed twice, seen and unseen, because both forms
 * take tokens of the budget.
 */
const named = ({ role, text, attached = [] }: PathMessage): ModelMessage => ({
  role,
  text,
  files: attached.filter(({ use }) => use !== 'image').map(({ name }) => ({ name, text: null })),
  images: attached
    .filter(({ use }) => use === 'image')
    .flatMap(({ name }) => [
      { name, tokens: 0, read: null },
      { name, tokens: 0, read: async () => null },
    ]),
});

/**
 * Returns the newest images of these messages, up to the most that one request takes; none if the model sees no images.
 */
async function imagesOf(
  { images }: Sources,
  scope: OrganisationScope,
  { path, reading }: Pick<Attached, 'path' | 'reading'>,
): Promise<ReadonlyMap<FileId, StoredImage>> {
  if (reading.images === null || reading.images.accepts === 'no') return new Map();
  const all = path.toReversed().flatMap(({ attached = [] }) => attached.filter(({ use }) => use === 'image'));
  const ids = new Set(all.map(({ id }) => id));
  return images.find(scope, [...ids].slice(0, mostImages));
}

/** Returns the file's text; null if it doesn't fit. */
function wholeWithin(budget: PromptBudget, { name }: MessageFile, whole: Whole): string | null {
  if (whole === null) return null;
  const { text, tokens } = whole;
  const sent = tokensOfModelMessage({ role: 'person', text: '', files: [{ name, text }] });
  return budget.take({ as: 'whole', tokens, sent }) ? text : null;
}

/** Returns the image; only its name if it doesn't fit, or if its content is missing. */
function seenWithin(budget: PromptBudget, { id, name }: MessageFile, image: StoredImage | undefined): ModelImage {
  const tokens = image ? imageTokens(image) : 0;
  if (image && budget.take({ as: 'image', tokens, bytes: image.bytes })) return { id, name, tokens, read: image.read };
  return { ...(image && { id }), name, tokens: 0, read: null };
}
