import { Injectable } from '@nestjs/common';
import {
  chatbotId,
  imagesIn,
  type ChatbotId,
  type CompletionId,
  type CompletionRequest,
  type createCompletion,
  type MessageFile,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { InputOf } from '@parley/platform/service';
import { Problem } from '@parley/protocol';
import { ChatbotsService } from '../../assistants/chatbots/index.ts';
import { readingOf } from '../../assistants/models/index.ts';
import { ImageIntake, type GivenImage } from '../../knowledge/files/index.ts';
import { Answerers, AskApart, askerOf, type Answerer, type Generation } from '../generations/index.ts';
import { wishesOf } from './completion-wishes.ts';
import { CompletionsRepository } from './completions.repository.ts';

type Input = InputOf<typeof createCompletion>;
/** A completion's generation. */
export type AskedCompletion = Generation & { readonly completionId: CompletionId };

/**
 * Asks the question of a program that uses the API. Stores its images as files of the caller, for as long as the
 * question is kept.
 */
@Injectable()
export class AskCompletion {
  constructor(
    private readonly chatbots: ChatbotsService,
    private readonly answerers: Answerers,
    private readonly asking: AskApart,
    private readonly completions: CompletionsRepository,
    private readonly images: ImageIntake,
  ) {}

  /**
   * Asks. `gone` aborts when the caller has left, and ends the decoding of images. If asking fails, all stored images
   * are released.
   */
  async ask({ scope, principal, body, request }: Input, gone: AbortSignal): Promise<AskedCompletion> {
    const viewer = { scope, principal };
    const answerer = await this.answerers.onModel(
      scope,
      this.chatbots.choose(viewer, asChatbotId(body.model)),
      undefined,
    );
    const given = takeImages(body);
    // Free the images' memory now: the answer takes minutes.
    if (given.length > 0) request.body = undefined;
    if (given.length > 0 && !acceptsImages(answerer))
      throw new Problem('chat.images-not-accepted', {
        detail: `The model ${answerer.model.label} does not accept images. Choose another chatbot, or send text only.`,
      });
    const images = await this.images.store(viewer, given, gone);
    try {
      return await this.store({ scope, principal, body }, answerer, images);
    } catch (error) {
      // Ignore errors: if the store is unavailable, unused images are erased within the hour anyway.
      await this.images.letGo(viewer, images).catch(() => undefined);
      throw error;
    }
  }

  private async store(
    { scope, principal, body }: Pick<Input, 'scope' | 'principal' | 'body'>,
    answerer: Answerer,
    images: readonly MessageFile[],
  ): Promise<AskedCompletion> {
    const wishes = wishesOf(body, images);
    const { userId } = principal;
    const completionId = newId('completion');
    const generation = await this.asking.ask({
      scope,
      actor: principal,
      asker: askerOf({ principal }),
      answerer,
      question: wishes.path.at(-1)!.text,
      of: { kind: 'completion', completionId },
      keep: async ({ conversationId, generationId }, askedAt, tx) => {
        const of = { _id: completionId, orgId: scope.orgId, askedAt, conversationId, generationId };
        await this.completions.insert(scope, { row: { ...of, ...wishes }, userId }, tx);
        return true;
      },
    });
    if (!generation) throw new Error('A new completion was asked before.');
    return { ...generation, completionId };
  }
}

/** Returns true also for an untested model; the built-in assistant sees no images. */
function acceptsImages({ model }: Answerer): boolean {
  const { images } = readingOf(model);
  return images !== null && images.accepts !== 'no';
}

/** Returns the images of all messages and removes their base64 from the request. Throws if one is not base64. */
function takeImages({ messages }: CompletionRequest): GivenImage[] {
  return messages.flatMap((message, at) =>
    imagesIn(message).map((part) => {
      const { url } = part.image_url;
      part.image_url.url = '';
      const comma = url.indexOf(',');
      const content = fromBase64(url.slice(comma + 1));
      if (content) return { mediaType: url.slice('data:'.length, comma - ';base64'.length), content };
      const path = `body.messages.${at}.content`;
      throw new Problem('platform.invalid-request', {
        errors: [{ path, message: 'has an image whose data URL is no valid base64' }],
      });
    }),
  );
}

/** Returns null for an empty text, and for invalid base64, whose characters Node would skip. */
function fromBase64(text: string): Buffer | null {
  const content = Buffer.from(text, 'base64');
  const digits = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  return content.length > 0 && content.length === Math.floor((digits * 3) / 4) ? content : null;
}

export const notFound = (): Problem =>
  new Problem('chat.chatbot-not-found', { detail: 'There is no chatbot of this id, or it is not offered to you.' });

function asChatbotId(model: string): ChatbotId {
  const { data } = chatbotId.safeParse(model);
  if (!data) throw notFound();
  return data;
}
