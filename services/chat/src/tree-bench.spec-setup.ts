import type { Shares } from '@parley/platform/fair-turns';
import type { Platform } from '@parley/platform/service';
import { MessageEraser } from './answers/erasure/message-eraser.ts';
import { everyOneItsOwn } from './answers/generations/workers/worker-bench.spec-setup.ts';
import { PathsService } from './answers/message-search/paths.service.ts';
import { ShownMessages } from './answers/message-search/shown-messages.ts';
import { chatBench } from './chat-bench.spec-setup.ts';
import type { ChatSettings } from './chat.config.ts';
import { ReadingPlaces } from './conversations/index.ts';

/** Chats whose paths are read, and of which parts are deleted and erased. */
export async function treeBench() {
  const bench = await chatBench();
  const { mongo, conversations, keeping, access, messages, generations, paths, open, work, clock } = bench;
  const reading = new ReadingPlaces(mongo);
  const settings = { workers: 1 } as ChatSettings;
  const parts = [conversations, keeping, messages, generations, work, clock, settings, {} as Platform] as const;
  return {
    ...bench,
    reading,
    listing: new PathsService(access, open, paths, messages, new ShownMessages(generations), reading, work),
    eraser: () => new MessageEraser(...parts, everyOneItsOwn as Shares),
  };
}
