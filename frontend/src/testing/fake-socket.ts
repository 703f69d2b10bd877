import { jest } from '@jest/globals';

type Listener = (...given: never[]) => void;
type Ack = (...given: unknown[]) => void;

/** Takes the place of the socket library: what a connection asks it, and what a test has come in. */
export class FakeSocket {
  connected = false;
  readonly active = true;
  /** Whether the other end still answers. */
  answers = true;
  /** Called for whatever the server sends, a ping, too. */
  onPacket: () => void = () => undefined;
  readonly io = { engine: { on: (_name: 'packet', listener: () => void) => (this.onPacket = listener) } };
  readonly calls: string[] = [];
  readonly sent: { name: string; request: unknown }[] = [];
  readonly #listeners = new Map<string, Listener>();

  /** For `conversation.open` and the like. */
  reply: (name: string, request: unknown) => unknown = () => undefined;

  on(name: string, listener: Listener): void {
    this.#listeners.set(name, listener);
  }
  connect(): void {
    this.calls.push('connect');
  }
  disconnect(): void {
    this.calls.push('disconnect');
    if (this.connected) this.drop('io client disconnect');
  }
  emit(name: string, request: unknown): void {
    this.sent.push({ name, request });
  }
  timeout(ms: number) {
    return {
      emit: (name: string, ack: Ack) => {
        this.emit(name, undefined);
        if (this.answers) ack(null);
        else setTimeout(() => ack(new Error('timeout')), ms);
      },
      emitWithAck: async (name: string, request: unknown) => {
        this.emit(name, request);
        return this.reply(name, request);
      },
    };
  }

  arrive(name: string, ...message: unknown[]): void {
    this.onPacket();
    this.#listeners.get(name)?.(...(message as never[]));
  }
  open(): void {
    this.connected = true;
    this.arrive('connect');
  }
  drop(reason: string): void {
    this.connected = false;
    this.arrive('disconnect', reason);
  }
}

/** The library from now on makes this socket. Import what uses it after this call. */
export function installFakeSocket(): { current: FakeSocket } {
  const holder = { current: new FakeSocket() };
  jest.unstable_mockModule('socket.io-client', () => ({ io: () => holder.current }));
  return holder;
}
