import plain from './jest.config.mjs';
import product from './jest.product.config.mjs';

/** The specs of `npm test` and `npm run test:product`, for one planted fault: see packages/testing/src/faults. */
export default { ...plain, maxWorkers: 1, projects: [...plain.projects, product] };
