import { writePage } from './limits-page.spec-setup.ts';

writePage();
