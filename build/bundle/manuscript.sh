#!/bin/sh
# Runs Manuscript with the Node that lies beside it, wherever the folder is and whatever links lead here.
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%"${self##*/}"}$target ;;
  esac
done
here=$(cd "${self%"${self##*/}"}." && pwd -P) || exit 1 # no `dirname`: a bare system need not have it
# Else Node would leave compiled code in the temporary folder.
export NODE_DISABLE_COMPILE_CACHE=1
exec "$here/lib/node" "$here/lib/bin/manuscript.js" "$@"
