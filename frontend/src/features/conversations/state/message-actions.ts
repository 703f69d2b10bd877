import type { ChatbotId, Message, MessageFile, MessageId, ModelKey } from '@parley/contracts';

/** The question that is being edited, and the text to begin with. */
export type Editing = { readonly id: MessageId; readonly text: string };

/**
 * Names who answers again: another chatbot, or the same one on another model. Missing: the same as before. `images`:
 * the model gets only the names of images.
 */
export type OtherAnswerer = { readonly chatbotId?: ChatbotId; readonly model?: ModelKey; readonly images?: 'note' };

export type MessageActions = {
  /** Asks the question of this answer again, or this question, if it has no answer. */
  askAgain: (message: Message, other?: OtherAnswerer) => void;
  /** Asks another model the question, and the next questions, too. */
  changeModel: (answer: Message, model: ModelKey) => void;
  /** Continues an answer that ended early. */
  goOn: (answer: Message) => void;
  openSource: (answer: Message, number: number) => void;
  /** Shows a file of a question beside the conversation. */
  openFile: (file: MessageFile) => void;
  /** Shows another version of a message instead of the current one. */
  showVersion: (id: MessageId, shown: MessageId) => Promise<void>;
  /** Replaces the question with a field that has its text; null closes the field. */
  edit: (question: Message | null) => void;
  sendEdited: (question: Message, text: string) => void;
  /** Starts a new chat from the path up to an answer or before a question, or from all versions. */
  branch: (message: Message, copies: 'path' | 'all') => void;
  remove: (message: Message) => void;
};

/** The data for the menu of a message. */
export type MessageMenuProps = { message: Message; versions: readonly MessageId[] | null; actions: MessageActions };
