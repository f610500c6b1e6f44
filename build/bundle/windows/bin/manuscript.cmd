@echo off
rem The command for a terminal: runs Manuscript with the Node that lies beside it.
setlocal
rem Else Node would leave compiled code in the temporary folder.
set NODE_DISABLE_COMPILE_CACHE=1
"%~dp0..\lib\node.exe" "%~dp0..\lib\bin\manuscript.js" %*
