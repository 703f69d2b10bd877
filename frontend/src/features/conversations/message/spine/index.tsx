import classes from './spine.module.css';

/** How an answer ended early: its note, its spine and the queue behind it say it in the same words and colours. */
export type AnswerEnd = 'stopped' | 'cut' | 'failed' | 'interrupted';
export type SpineState = 'none' | 'queued' | 'thinking' | 'writing' | AnswerEnd;

/** The 2 px rule under the bot's mark tells the run's state, beside words. */
export function Spine({ state }: { state: SpineState }) {
  return <i className={classes.spine} data-state={state} aria-hidden="true" />;
}
