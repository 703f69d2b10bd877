import type { ChatbotId, Message, MessageFile, MessageId, ModelKey } from '@parley/contracts';

/** A question whose text is being changed, and what to begin with. */
export type Editing = { readonly id: MessageId; readonly text: string };

/**
 * Names who answers once more: another chatbot, or the same one on another model. Neither: who has answered. With `images` it is
 * told the names of images only.
 */
export type OtherAnswerer = { readonly chatbotId?: ChatbotId; readonly model?: ModelKey; readonly images?: 'note' };

export type MessageActions = {
  /** The question of this answer, or this question, which has none. */
  askAgain: (message: Message, other?: OtherAnswerer) => void;
  /** Asks another model instead, and the next questions, too. */
  changeModel: (answer: Message, model: ModelKey) => void;
  /** Continues an answer that ended early. */
  goOn: (answer: Message) => void;
  openSource: (answer: Message, number: number) => void;
  /** Shows a file of a question beside the talk. */
  openFile: (file: MessageFile) => void;
  /** In the place of the version that is shown. */
  showVersion: (id: MessageId, shown: MessageId) => Promise<void>;
  /** Opens the question's text in its place; null closes it. */
  edit: (question: Message | null) => void;
  sendEdited: (question: Message, text: string) => void;
  /** A new chat of the path up to an answer or before a question, or of all versions. */
  branch: (message: Message, copies: 'path' | 'all') => void;
  remove: (message: Message) => void;
};

/** What the menu of a message needs. */
export type MessageMenuProps = { message: Message; versions: readonly MessageId[] | null; actions: MessageActions };
