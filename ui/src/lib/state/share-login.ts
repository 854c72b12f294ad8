/** Adds services that articles are saved in, and changes their names and logins. Loaded with the settings. */
import { asIpcError, call, type AddShareService, type IpcError, type SetShareLogin } from '../ipc';

type ServiceSaved = 'saved' | 'cancelled' | 'no_keyring' | { readonly error: IpcError };

export const addService = (service: AddShareService): Promise<ServiceSaved> =>
  saved(call('add_share_service', service), service.password_in_library);

export const setServiceLogin = (change: SetShareLogin): Promise<ServiceSaved> =>
  saved(call('set_share_login', change), change.password_in_library);

/** Rejects with an `IpcError`: the name may be taken. */
export async function renameService(service_id: number, name: string): Promise<void> {
  await call('rename_share_service', { service_id, name });
}

async function saved(done: Promise<boolean | null>, inLibrary: boolean): Promise<ServiceSaved> {
  try {
    return (await done) === false ? 'cancelled' : 'saved';
  } catch (cause) {
    const error = asIpcError(cause);
    return error.code === 'no_keyring' && !inLibrary ? 'no_keyring' : { error };
  }
}
