export { giveWay } from './give-way.ts';
export { Sweep } from './sweep.ts';
