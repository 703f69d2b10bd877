import classes from './spine.module.css';

/**
 * How an answer ended early. The answer's note, its coloured line and the queue below use the same words and colours.
 */
export type AnswerEnd = 'stopped' | 'cut' | 'failed' | 'interrupted';
export type SpineState = 'none' | 'queued' | 'thinking' | 'writing' | AnswerEnd;

/** The 2 px line under the chatbot's mark shows the state, besides words. */
export function Spine({ state }: { state: SpineState }) {
  return <i className={classes.spine} data-state={state} aria-hidden="true" />;
}
