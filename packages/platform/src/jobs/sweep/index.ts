export { giveWay, untilIdle } from '../../base/give-way.ts';
export { Sweep } from './sweep.ts';
