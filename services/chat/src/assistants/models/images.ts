import { ModelFailure, type ModelClient, type ModelPart, type ModelRequest, type ModelTurn } from './model-client.ts';
import { noteOf, type Message } from './prompt.ts';

export type LoadedImage = { readonly bytes: Uint8Array; readonly mediaType: string };
export type LoadedMessage = Pick<Message, 'role' | 'content'> & { readonly images: readonly LoadedImage[] };

/** The messages with the bytes of their images, read one after the other. Of one that is gone the model is told its name. */
export async function loadImages(messages: readonly Message[]): Promise<LoadedMessage[]> {
  const loaded: LoadedMessage[] = [];
  for (const { role, content, images = [] } of messages) {
    const found: LoadedImage[] = [];
    const notes: string[] = [];
    for (const image of images) {
      const bytes = (await image.read?.()) ?? null;
      if (bytes) found.push({ bytes, mediaType: image.mediaType ?? 'image/jpeg' });
      else notes.push(noteOf(image));
    }
    loaded.push({ role, content: [...notes, content].filter((part) => part !== '').join('\n\n'), images: found });
  }
  return loaded;
}

export const base64Of = ({ bytes }: LoadedImage): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** With a note in place of each image. */
export const withoutImages = (turns: readonly ModelTurn[]): ModelTurn[] =>
  turns.map(({ images = [], ...turn }) => ({
    ...turn,
    ...(images.length > 0 && { images: images.map(({ name }) => ({ name, tokens: 0, read: null })) }),
  }));

const hasImages = (turns: readonly ModelTurn[]): boolean =>
  turns.some(({ images = [] }) => images.some(({ read }) => read !== null));

const ofRequests = new Set([400, 404, 415, 422]);
const namesImages = /image|vision|multi-?modal|modalit|content.?type/i;
/** llama.cpp calls it an error of its own. */
const ownError = /image input is not supported|mmproj/i;

/** Whether a server has refused a request for its images, by what it says. */
export function isRefusalOfImages(error: unknown): boolean {
  const { statusCode = 0, responseBody = '' } = refusalIn(error);
  return (
    (ofRequests.has(statusCode) && namesImages.test(responseBody)) ||
    (statusCode === 500 && ownError.test(responseBody))
  );
}

type Refusal = { readonly statusCode?: number; readonly responseBody?: string };
function refusalIn(error: unknown): Refusal {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('statusCode' in cause) return cause as Refusal;
  return {};
}

/**
 * Asks a model; where its server refuses the request for its images, or for its size, once more with notes in place of
 * them. `onRefused` is called in between. So neither old images nor a wrong "accepts images" end a conversation for ever.
 */
export async function answerAnyway(
  client: ModelClient,
  request: ModelRequest,
  {
    onPart,
    onRefused,
  }: { readonly onPart: (part: ModelPart) => void; readonly onRefused: (turns: ModelTurn[]) => void },
): Promise<void> {
  try {
    await client.answer(request, onPart);
  } catch (error) {
    const isTooLarge = error instanceof ModelFailure && error.reason === 'context-too-long';
    if (!hasImages(request.turns) || !(isTooLarge || isRefusalOfImages(error))) throw error;
    const turns = withoutImages(request.turns);
    onRefused(turns);
    await client.answer({ ...request, turns }, onPart);
  }
}
