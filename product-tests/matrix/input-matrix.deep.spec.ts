import { describeInputs } from './inputs.spec-setup.ts';

describeInputs('all');
