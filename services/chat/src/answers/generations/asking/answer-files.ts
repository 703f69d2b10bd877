import type { FileId, MessageFile } from '@parley/contracts';
import { imageTokens } from '@parley/contracts/image-tokens';
import type { OrganisationScope } from '@parley/platform/mongo';
import {
  recentTurns,
  type ModelTurn,
  type Reading,
  type TurnFile,
  type TurnImage,
} from '../../../assistants/models/index.ts';
import type { FileSearch, SeenImages, StoredImage } from '../../../knowledge/files/index.ts';
import type { PathTurn } from './path-turns.ts';

/** In one request, over all providers: Anthropic takes 32 MB in base64, Google 20 MB. */
const mostImages = 20;
const mostImageBytes = 12_000_000;

type Attached = {
  readonly turns: readonly PathTurn[];
  /** Of the path before these turns. */
  readonly before: readonly MessageFile[];
  readonly reading: Reading;
  /** So many tokens of whole files at most; 0: all are searched. */
  readonly mostTokens: number;
};
type Sources = { readonly files: Pick<FileSearch, 'whole'>; readonly images: Pick<SeenImages, 'find'> };

/**
 * Decides what an answer reads of the files of its path. Whole are those that were sent so, of the newest questions first,
 * as long as they fit and their question is among the turns that the model is sent; all others are searched. Images are
 * seen by the same order, as long as they fit (`Room`); of all others the model is told their names.
 */
export async function attachFiles(
  sources: Sources,
  scope: OrganisationScope,
  { turns, before, reading, mostTokens }: Attached,
): Promise<{ turns: ModelTurn[]; searched: MessageFile[] }> {
  const sent = new Set<ModelTurn>(recentTurns(turns, reading.contextTokens / 4));
  const room = new Room(reading, mostTokens);
  const images = await imagesOf(sources, scope, { turns: turns.filter((turn) => sent.has(turn)), reading });
  const known = new Set<FileId>();
  const searched: MessageFile[] = [];
  const told: ModelTurn[] = [];
  for (const turn of turns.toReversed()) {
    const seen: TurnImage[] = [];
    const files: TurnFile[] = [];
    for (const file of turn.attached ?? []) {
      if (known.has(file.id)) continue;
      known.add(file.id);
      if (file.use === 'image') {
        seen.push(room.see(file, sent.has(turn) ? images.get(file.id) : undefined));
        continue;
      }
      const isAsked = sent.has(turn) && file.use === 'whole' && room.hasTokens;
      const text = isAsked ? room.take(await sources.files.whole(scope, file.id)) : null;
      if (text === null) searched.push(file);
      files.push({ name: file.name, text });
    }
    const { role, text } = turn;
    told.unshift({ role, text, ...(files.length > 0 && { files }), ...(seen.length > 0 && { images: seen }) });
  }
  for (const file of before) {
    if (known.has(file.id) || file.use === 'image') continue;
    known.add(file.id);
    searched.push(file);
  }
  return { turns: told, searched };
}

/** The newest images of these turns, as many as are sent at most; none for a model that sees none. */
async function imagesOf(
  { images }: Sources,
  scope: OrganisationScope,
  { turns, reading }: Pick<Attached, 'turns' | 'reading'>,
): Promise<ReadonlyMap<FileId, StoredImage>> {
  if (reading.images === null || reading.images.accepts === 'no') return new Map();
  const all = turns.toReversed().flatMap(({ attached = [] }) => attached.filter(({ use }) => use === 'image'));
  const ids = new Set(all.map(({ id }) => id));
  return images.find(scope, [...ids].slice(0, mostImages));
}

/**
 * What is left for files in one request: whole ones take a quarter of the context at most, with images half of it. So the
 * question, passages and the answer always fit.
 */
class Room {
  private readonly reading: Reading;
  private tokens: number;
  private imageTokens: number;
  private bytes = mostImageBytes;

  constructor(reading: Reading, mostTokens: number) {
    this.reading = reading;
    this.tokens = mostTokens;
    this.imageTokens = reading.contextTokens / 2;
  }

  get hasTokens(): boolean {
    return this.tokens > 0;
  }

  /** The text, if it fits. */
  take(whole: { readonly text: string; readonly tokens: number } | null): string | null {
    if (whole === null || whole.tokens > Math.min(this.tokens, this.imageTokens)) return null;
    this.tokens -= whole.tokens;
    this.imageTokens -= whole.tokens;
    return whole.text;
  }

  /** The image, or only its name where it doesn't fit or there is none to see. */
  see({ name }: MessageFile, image: StoredImage | undefined): TurnImage {
    const tokens = image && this.reading.images ? imageTokens(this.reading.images.rule, image) : 0;
    if (!image || tokens > this.imageTokens || image.bytes > this.bytes) return { name, tokens: 0, read: null };
    this.imageTokens -= tokens;
    this.bytes -= image.bytes;
    return { name, tokens, read: image.read };
  }
}
