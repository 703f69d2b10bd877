import { ModelFailure, type ModelClient, type OnPart, type ModelRequest, type ModelMessage } from './model-client.ts';
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
export const withoutImages = (path: readonly ModelMessage[]): ModelMessage[] =>
  path.map(({ images = [], ...message }) => ({
    ...message,
    ...(images.length > 0 && { images: images.map(({ name }) => ({ name, tokens: 0, read: null })) }),
  }));

const hasImages = (path: readonly ModelMessage[]): boolean =>
  path.some(({ images = [] }) => images.some(({ read }) => read !== null));

const ofRequests = new Set([400, 404, 415, 422]);
/** Some know texts only, and say that the parts of a message are none. */
const namesImages = /image|vision|multi-?modal|modalit|content.?type|content.{0,9} must be a string|TextContentPart/i;
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

/** Tells whether a server has refused a request as such, whatever it says: one with images may be refused for them. */
const isRefusal = (error: unknown): boolean =>
  isRefusalOfImages(error) || ofRequests.has(refusalIn(error).statusCode ?? 0);

const isTooLong = (error: unknown): boolean => error instanceof ModelFailure && error.reason === 'context-too-long';

type Asking = {
  /** It isn't known whether the model accepts images: a refusal of those of the question is an error of its own. */
  readonly triesImages: boolean;
  readonly onPart: OnPart;
  /** Notes are sent instead; `why` is null where the request was only too long. */
  readonly onNotes: (path: ModelMessage[], why: 'refused' | null) => void;
};

/**
 * Asks a model; where its server refuses a request with images, or finds it too long, once more with notes in their place.
 * So neither old images nor a wrong "accepts images" end a conversation for ever. Rejects with `images-refused` where the
 * question itself has images that are only tried.
 */
export async function answerAnyway(client: ModelClient, request: ModelRequest, asking: Asking): Promise<void> {
  const { triesImages, onPart, onNotes } = asking;
  try {
    await client.answer(request, onPart);
  } catch (error) {
    if (!hasImages(request.path) || !(isTooLong(error) || isRefusal(error))) throw error;
    if (triesImages && hasImages(request.path.slice(-1)) && isRefusalOfImages(error)) throw refusedImages(error);
    const path = withoutImages(request.path);
    onNotes(path, isTooLong(error) ? null : 'refused');
    await client.answer({ ...request, path }, onPart).catch((second: unknown) => {
      throw isSameKind(error, second) ? error : second;
    });
  }
}

const refusedImages = (error: unknown): ModelFailure =>
  new ModelFailure('images-refused', error instanceof ModelFailure ? error.detail : null, { cause: error });

/** Then it wasn't for the images, and the first one says more of what was asked. */
const isSameKind = (first: unknown, second: unknown): boolean =>
  first instanceof ModelFailure && second instanceof ModelFailure && first.reason === second.reason;
