import { conversationClose, conversationOpen, type ClientToServer } from '@parley/contracts';
import { z } from 'zod';
import { within } from '../accept-kill/product.ts';
import type { Inputs } from './fuzz-inputs.ts';
import type { WatchedClient } from './watched-client.ts';

const each = 60;
const answerMs = 15_000;
/** What each event takes. A new event does not compile without its own. */
const payloads: Readonly<Record<keyof ClientToServer, z.ZodType>> = {
  'live.check': z.null(),
  'conversation.open': conversationOpen,
  'conversation.close': conversationClose,
  'monitoring.watch': z.boolean(),
};

/** Sends every event, valid and broken, with an acknowledgement or without; a new socket is answered afterwards. */
export async function fuzzSockets(client: WatchedClient, inputs: Inputs): Promise<number> {
  let emitted = 0;
  const socket = client.socket();
  const emit = (name: string, ...rest: unknown[]): void => {
    emitted += 1;
    // Nothing but what is typed can be sent otherwise.
    (socket.emit as (name: string, ...rest: unknown[]) => unknown).call(socket, name, ...rest);
  };
  await within(answerMs, 'a socket should be let in', connected(socket));
  for (const [name, schema] of Object.entries(payloads)) {
    for (let at = 0; at < each; at += 1) {
      emit(name, inputs.of(schema), () => undefined);
      emit(name, inputs.hostileValue());
      emit(name);
      emit(name, 'not a function', 'nor this', inputs.hostileValue());
    }
  }
  for (const name of ['', 'generation.frame', '__proto__', 'constructor']) emit(name, inputs.hostileValue());
  socket.disconnect();
  const after = client.socket();
  await within(answerMs, 'a socket should be let in after all that', connected(after));
  await after.timeout(answerMs).emitWithAck('live.check');
  after.disconnect();
  return emitted;
}

const connected = (socket: ReturnType<WatchedClient['socket']>): Promise<void> =>
  new Promise((resolve, reject) => void socket.once('connect', resolve).once('connect_error', reject));
