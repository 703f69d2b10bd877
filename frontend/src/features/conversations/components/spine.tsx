import type { AnswerEnd } from './answer-state.ts';
import classes from './spine.module.css';

export type SpineState = 'none' | 'queued' | 'thinking' | 'writing' | AnswerEnd;

/** The 2 px rule under the bot's mark tells the run's state, beside words. */
export function Spine({ state }: { state: SpineState }) {
  return <i className={classes.spine} data-state={state} aria-hidden="true" />;
}
