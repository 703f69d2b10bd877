import { join } from 'node:path';
import { startProcess, type Started } from './product.ts';

/** Where the same question is answered without Parley: the model server itself, and a bare pipe to it. */
export type Floors = {
  readonly modelUrl: string;
  readonly modelAddress: string;
  readonly pipeUrl: string;
  readonly pipe: Started;
  close(): Promise<void>;
};

export async function startFloors(): Promise<Floors> {
  const model = await startProcess([join(import.meta.dirname, 'mock-provider.ts')]);
  const pipe = await startProcess([join(import.meta.dirname, 'pipe.ts'), model.line]);
  const modelAddress = `127.0.0.1:${model.line}`;
  const close = async () => {
    await pipe.close();
    await model.close();
  };
  return {
    modelUrl: `http://${modelAddress}/v1`,
    modelAddress,
    pipeUrl: `http://127.0.0.1:${pipe.line}/v1`,
    pipe,
    close,
  };
}
