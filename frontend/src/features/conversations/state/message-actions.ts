import type { ChatbotId, Message, MessageFile, MessageId, ModelKey } from '@parley/contracts';

/** A question that is being edited, and the initial text. */
export type Editing = { readonly id: MessageId; readonly text: string };

/**
 * Names who answers again: another chatbot, or the same one on another model. Neither: who has answered. `images`: it
 * gets the names of images only.
 */
export type OtherAnswerer = { readonly chatbotId?: ChatbotId; readonly model?: ModelKey; readonly images?: 'note' };

export type MessageActions = {
  /** The question of this answer, or this question, which has none. */
  askAgain: (message: Message, other?: OtherAnswerer) => void;
  /** Asks another model instead, also for the next questions. */
  changeModel: (answer: Message, model: ModelKey) => void;
  /** Continues an answer that ended early. */
  goOn: (answer: Message) => void;
  openSource: (answer: Message, number: number) => void;
  /** Shows a file of a question beside the conversation. */
  openFile: (file: MessageFile) => void;
  /** Shows a version in place of the present one. */
  showVersion: (id: MessageId, shown: MessageId) => Promise<void>;
  /** Replaces the question by a field with its text; null closes it. */
  edit: (question: Message | null) => void;
  sendEdited: (question: Message, text: string) => void;
  /** Starts a new chat from the path up to an answer or before a question, or from all versions. */
  branch: (message: Message, copies: 'path' | 'all') => void;
  remove: (message: Message) => void;
};

/** What the menu of a message needs. */
export type MessageMenuProps = { message: Message; versions: readonly MessageId[] | null; actions: MessageActions };
