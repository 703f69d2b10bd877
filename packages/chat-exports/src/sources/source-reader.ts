import { cleanId } from '../cleaning.ts';
import type { FileRef, RawBroken, RawChat } from '../chat-node.ts';
import type { GiveWay } from '../in-turns.ts';
import type { ImportSource, OtherKind } from '../read-chat.ts';

/** What a source's reader knows beside the chat itself. */
export type ReadingContext = {
  /** Files that the export lists apart, by the message that they come from. */
  filesOf(messageId: string): readonly FileRef[];
  /** Counts what can't be imported, each `key` once; `name` is how the export calls it. */
  saw(kind: OtherKind, key: string, name?: string): void;
  readonly giveWay: GiveWay;
};

export type SourceReader = {
  readonly source: ImportSource;
  /** Whether an object with these fields is a chat of this source; by texts of its fields where those decide. */
  isChat(fields: ReadonlyMap<string, unknown>): boolean;
  /** Of a chat with messages, so that it is read once; null if it has none. */
  idOf(fields: ReadonlyMap<string, unknown>): string | null;
  read(value: object, context: ReadingContext): Promise<RawChat | RawBroken>;
};

/** The first of these fields that is an id. */
export function idIn(fields: ReadonlyMap<string, unknown>, ...names: readonly string[]): string | null {
  const found = names.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? cleanId(found) : null;
}
