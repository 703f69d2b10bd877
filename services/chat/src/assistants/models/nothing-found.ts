import { builtInTexts } from './built-in-texts.ts';
import type { ModelClient, ModelPart, ModelRequest } from './model-client.ts';

/** Answers for a chatbot that may only say what documents say, where none of them says anything. */
export class NothingFound implements ModelClient {
  answer({ locale, beginning }: ModelRequest, onPart: (part: ModelPart) => void): Promise<void> {
    onPart({ kind: 'text', text: `${beginning === '' ? '' : '\n\n'}${builtInTexts(locale).nothingAnswers}` });
    onPart({ kind: 'usage', inputTokens: 0, outputTokens: 0 });
    return Promise.resolve();
  }
}
