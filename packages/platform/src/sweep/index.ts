export { giveWay, untilIdle } from '../give-way.ts';
export { Sweep } from './sweep.ts';
