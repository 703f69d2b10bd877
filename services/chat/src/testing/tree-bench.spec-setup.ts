import { TestJobs } from '@parley/testing';
import { BranchingService } from '../answers/branching/branching.service.ts';
import { MessageCopies } from '../answers/branching/message-copies.ts';
import { MessageEraser } from '../answers/erasure/message-eraser.ts';
import { MessagesService } from '../answers/message-search/messages.service.ts';
import { PathsService } from '../answers/message-search/paths.service.ts';
import { ShownMessages } from '../answers/message-search/shown-messages.ts';
import { messagesOf } from '../assistants/models/prompt.ts';
import { chatBench } from './chat-bench.spec-setup.ts';
import { eraseMessage, ReadingPlaces, type Viewer } from '../conversations/index.ts';

/** Returns a bench for reading the paths of chats, and for deleting and erasing parts of them. */
export const treeBench = async () => treesOn(await chatBench());

/** The same, on another bench. */
export function treesOn<Bench extends Awaited<ReturnType<typeof chatBench>>>(bench: Bench) {
  const { mongo, conversations, keeping, access, messages, generations, paths, open, work, clock, uses } = bench;
  const reading = new ReadingPlaces(mongo);
  const anEraser = () => new MessageEraser(conversations, keeping, messages, generations, work, clock);
  const shown = new ShownMessages(generations);
  const copies = new MessageCopies(messages, generations, uses, work);
  return {
    ...bench,
    reading,
    listing: new PathsService(access, open, paths, messages, shown, reading, work),
    /** As one line. */
    lines: new MessagesService(messages, shown, access, paths),
    branching: new BranchingService(conversations, access, paths, open, reading, copies, bench.projects, work, clock),
    /** Returns what the model is sent for this answer, without its instructions. */
    async told(viewer: Viewer, asked: Parameters<typeof bench.find>[1]): Promise<string[]> {
      const request = { beginning: '', locale: 'en', signal: new AbortController().signal };
      const prepared = await bench.prepare.prepare(await bench.find(viewer, asked));
      const [, ...turns] = messagesOf({ ...prepared, ...request });
      return turns.map(({ role, content }) => `${role}: ${content}`);
    },
    anEraser,
    /** Erases the deleted messages whose time has come. */
    erase: (eraser = anEraser()) => new TestJobs(bench).with(eraseMessage, eraser).run(),
  };
}
